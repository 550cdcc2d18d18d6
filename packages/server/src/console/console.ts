import { limits, QuireError } from '@quire/contract'
import type { Quire } from '@quire/core'
import { commonHeaders, credentialOf } from '@quire/http/shared'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pagePolicy } from '../http/page-policy.ts'
import { once } from '../once.ts'
import { type ConsoleFile, isInstalled, readConsole } from './files.ts'

/** Where the console is, below the address of the service. */
export const consolePath = '/console/'

/**
 * A frame shows pages of the service, which have a policy of their own, and those of the front ends of
 * repositories.
 */
const policyWith = (origins: readonly string[]) =>
  pagePolicy("style-src 'self'", ["frame-src 'self'", ...origins].join(' '), "base-uri 'self'")

const ownPolicy = policyWith([])

// With the longest hosts, more would not fit into the header that proxies take.
const framedOrigins = 30

const fixed = { public: true, isFixed: true } as const

/**
 * Serves the page of `@quire/console` at /console/, if it is installed. Every address below is a view
 * of it. The page holds nothing: what it shows, it reads through the API as whoever is signed in.
 * Returns whether it is installed.
 */
export function addConsole(app: FastifyInstance, quire: Quire): boolean {
  if (!isInstalled()) return false
  const files = once(() => readConsole(new URL(`.${consolePath}`, `${quire.baseUrl}/`).pathname))
  app.get(consolePath.slice(0, -1), { config: { public: true } }, (_request, reply) =>
    reply.headers(commonHeaders).redirect(`.${consolePath}`, 308),
  )
  app.get<{ Params: { '*': string } }>(
    `${consolePath}*`,
    { config: { public: true } },
    async (request, reply) => {
      const { page } = await files()
      const policy = policyWith(await frontEndsOf(quire, request))
      return reply.headers(headersOf(page, 'private, no-cache', policy)).send(page.bytes)
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

/** The origins of the front ends that whoever is signed in may see; none for everybody else. */
async function frontEndsOf(quire: Quire, { headers, ip }: FastifyRequest): Promise<readonly string[]> {
  const credential = credentialOf((name) => headers[name]?.toString())
  if (!credential) return []
  const origins = new Set<string>()
  try {
    const api = quire.as(await quire.authenticate(credential.token), { address: ip })
    let cursor: string | undefined
    do {
      const page = await api.repositories.list({
        limit: limits.pageMost,
        ...(cursor !== undefined && { cursor }),
      })
      const addresses = page.items.flatMap(({ settings }) => settings.previewUrl ?? [])
      for (const address of addresses) origins.add(new URL(address).origin)
      cursor = page.nextCursor
    } while (cursor !== undefined && origins.size < framedOrigins)
  } catch (error) {
    // The page is for everybody: it then asks to sign in, or says what is wrong.
    if (!(error instanceof QuireError)) throw error
  }
  return [...origins].slice(0, framedOrigins)
}

function headersOf(
  { type }: ConsoleFile,
  caching: string,
  policy = ownPolicy,
): Readonly<Record<string, string>> {
  return {
    ...commonHeaders,
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': caching,
  }
}
