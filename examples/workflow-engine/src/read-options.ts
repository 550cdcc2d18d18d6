import { z } from 'zod'
import type { EngineOptions } from './engine.ts'

const Environment = z.object({
  ENGINE_TOKEN: z.string().min(1),
  ENGINE_PORT: z.coerce.number().int().min(0).max(65_535).default(4500),
  CALLBACK_SIGNING_SECRET: z.string().min(1).optional(),
  CALLBACK_API_KEY: z.string().min(1).optional(),
  CALLBACK_ORIGINS: z.string().optional(),
  LEGAL_REVIEW_MS: z.coerce.number().optional(),
  STEP_GROUPS: z.string().optional(),
})

const Groups = z.record(z.string(), z.array(z.string()))

/**
 * Reads the engine's options from environment variables. **Errors**: a variable is missing or
 * invalid.
 */
export function readOptions(environment: NodeJS.ProcessEnv): EngineOptions {
  const read = Environment.parse(environment)
  const { CALLBACK_ORIGINS: origins, LEGAL_REVIEW_MS: legalReviewMs, STEP_GROUPS: groups } = read
  return {
    token: read.ENGINE_TOKEN,
    port: read.ENGINE_PORT,
    callback: callbackKeyOf(read),
    ...(origins !== undefined && { callbackOrigins: origins.split(',') }),
    ...(legalReviewMs !== undefined && { legalReviewMs }),
    ...(groups !== undefined && { groups: Groups.parse(JSON.parse(groups)) }),
  }
}

function callbackKeyOf(read: z.output<typeof Environment>): EngineOptions['callback'] {
  const { CALLBACK_SIGNING_SECRET: signingSecret, CALLBACK_API_KEY: apiKey } = read
  if (signingSecret !== undefined) return { signingSecret }
  if (apiKey !== undefined) return { apiKey }
  throw new Error('Set CALLBACK_SIGNING_SECRET or CALLBACK_API_KEY. Quire accepts no callbacks without one.')
}
