import { QuireError } from '@quire/contract'
import { anonymous, type Quire, type Principal } from '@quire/core'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** The principal of public routes, whatever credentials were sent. */
export const nobody: Principal = anonymous

/** The credential of a request; undefined when there is none. */
export type Credential = { readonly token: string; readonly isCookie: boolean } | undefined

/**
 * The token of a request: from its `Authorization` header, else from the cookie `token`
 * (specification 5.2.1). A header without a token still counts, so that a cookie never replaces it.
 * A token in the query string or in a form is ignored (RFC 9700).
 */
export function credentialOf({ headers }: Pick<FastifyRequest, 'headers'>): Credential {
  const { authorization, cookie } = headers
  if (authorization !== undefined) return { token: bearerToken(authorization) ?? '', isCookie: false }
  const token = cookie === undefined ? undefined : cookieOf(cookie, 'token')
  return token === undefined || token === '' ? undefined : { token, isCookie: true }
}

/** One cookie of a `Cookie` header. */
export function cookieOf(header: string, name: string): string | undefined {
  return parseCookie(header)[name]
}

/**
 * The principal of a request. Errors: `unauthorized` without a valid token; `forbidden` for a write
 * by cookie that another site may have made the browser send (TRUST S23).
 */
export async function authenticate(quire: Quire, request: FastifyRequest): Promise<Principal> {
  const credential = credentialOf(request)
  if (!credential) throw new QuireError('unauthorized')
  if (credential.isCookie) requireOwnPage(quire, request)
  return quire.authenticate(credential.token)
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects writes by cookie from other sites. A browser names the origin of a write. A client that
 * does not is not a browser, and has no cookie of ours.
 */
function requireOwnPage({ baseUrl }: Quire, { method, headers }: FastifyRequest): void {
  if (safeMethods.has(method)) return
  const site = headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin'
  const { origin } = headers
  const isOwnOrigin = origin === undefined ? site === 'same-origin' : origin === new URL(baseUrl).origin
  if (isOwnSite && isOwnOrigin) return
  throw new QuireError(
    'forbidden',
    `A write with a cookie must come from a page of ${new URL(baseUrl).origin}.`,
  )
}

function bearerToken(header: string): string | undefined {
  if (header.startsWith('Bearer ')) return header.slice('Bearer '.length).trim()
  return /^bearer +(\S+)$/i.exec(header)?.[1]
}
