import { z } from 'zod'
import { UnixMs } from '../conventions.ts'

/** How well something does. */
export const HealthStatus = z
  .enum(['ok', 'degraded', 'unavailable'])
  .describe('degraded: it works, and somebody should look at it. unavailable: it does not work')

/** How well something does. */
export type HealthStatus = z.output<typeof HealthStatus>

/** One thing that was looked at. */
export const HealthCheck = z
  .object({
    name: z
      .enum(['store', 'blobs', 'queue', 'search', 'process', 'disk'])
      .describe('What was looked at; `process` and `disk` where the service knows of them'),
    status: HealthStatus,
    ms: z.number().describe('Milliseconds that it took to look, 2000 at most'),
    message: z.string().describe('For people: what is wrong and what to do; empty where nothing is'),
    details: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe('Figures and settings, by name'),
  })
  .meta({ id: 'HealthCheck', description: 'One thing that the service stands on' })

/** One thing that was looked at. */
export type HealthCheck = z.output<typeof HealthCheck>

/** How the service does. */
export const Health = z
  .object({
    status: HealthStatus.describe('The worst of those that it cannot do without; degraded by any other'),
    time: UnixMs.describe('When it was looked at'),
    version: z.string().nullable().describe('The version of the service; null where it does not say'),
    uptimeSeconds: z.number().nullable().describe('Since its start; null where it does not say'),
    checks: z.array(HealthCheck),
  })
  .meta({ id: 'Health', description: 'How the service does' })

/** How the service does. */
export type Health = z.output<typeof Health>
