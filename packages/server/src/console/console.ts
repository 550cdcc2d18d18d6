import { commonHeaders } from '@quire/http/shared'
import type { FastifyInstance } from 'fastify'
import { pagePolicy } from '../http/page-policy.ts'
import { once } from '../once.ts'
import { type ConsoleFile, isInstalled, readConsole } from './files.ts'

/** Where the console is, below the address of the service. */
export const consolePath = '/console/'

/** A frame shows comparisons of pages, which have a policy of their own. */
const contentSecurityPolicy = pagePolicy("style-src 'self'", "frame-src 'self'", "base-uri 'self'")

const fixed = { public: true, isFixed: true } as const

/**
 * Serves the page of `@quire/console` at /console/, if it is installed. Every address below is a view
 * of it. The page holds nothing: what it shows, it reads through the API as whoever is signed in.
 * Returns whether it is installed.
 */
export function addConsole(app: FastifyInstance, baseUrl: string): boolean {
  if (!isInstalled()) return false
  const files = once(() => readConsole(new URL(`.${consolePath}`, `${baseUrl}/`).pathname))
  app.get(consolePath.slice(0, -1), { config: { public: true } }, (_request, reply) =>
    reply.headers(commonHeaders).redirect(`.${consolePath}`, 308),
  )
  app.get<{ Params: { '*': string } }>(
    `${consolePath}*`,
    { config: { public: true } },
    async (_request, reply) => {
      const { page } = await files()
      return reply.headers(headersOf(page, 'no-cache')).send(page.bytes)
    },
  )
  app.get<{ Params: { name: string } }>(
    `${consolePath}assets/:name`,
    { config: fixed },
    async ({ params: { name } }, reply) => {
      const file = (await files()).assets.get(name)
      if (!file) return reply.callNotFound()
      return reply.headers(headersOf(file, 'public, max-age=31536000, immutable')).send(file.bytes)
    },
  )
  return true
}

function headersOf({ type }: ConsoleFile, caching: string): Readonly<Record<string, string>> {
  return {
    ...commonHeaders,
    'content-type': type,
    'content-security-policy': contentSecurityPolicy,
    'cache-control': caching,
  }
}
