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

// More would not fit into a header.
const framedOrigins = 100

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
      return reply
        .headers({ ...headersOf(page, 'private, no-cache'), 'content-security-policy': policy })
        .send(page.bytes)
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
async function frontEndsOf(quire: Quire, { headers }: FastifyRequest): Promise<readonly string[]> {
  const credential = credentialOf((name) => headers[name]?.toString())
  if (!credential) return []
  try {
    const api = quire.as(await quire.authenticate(credential.token))
    const { items } = await api.repositories.list({ limit: limits.pageMost })
    const addresses = items.flatMap(({ settings }) => settings.previewUrl ?? [])
    return [...new Set(addresses.map((address) => new URL(address).origin))].slice(0, framedOrigins)
  } catch (error) {
    // The page is for everybody: it then asks to sign in, or says what is wrong.
    if (error instanceof QuireError) return []
    throw error
  }
}

function headersOf({ type }: ConsoleFile, caching: string): Readonly<Record<string, string>> {
  return {
    ...commonHeaders,
    'content-type': type,
    'content-security-policy': policyWith([]),
    'cache-control': caching,
  }
}
