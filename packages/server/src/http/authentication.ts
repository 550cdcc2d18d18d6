import { QuireError } from '@quire/contract'
import { anonymous, type Quire, type Principal } from '@quire/core'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** Nobody in particular: what a public route sees, whatever was sent. */
export const nobody: Principal = anonymous

/** What a request carries to say who sends it; undefined: nothing. */
export type Credential = { readonly token: string; readonly isCookie: boolean } | undefined

/**
 * The token of a request: of its `Authorization` header, else of the cookie `token` (specification 5.2.1). A header that holds none counts
 * all the same, so that a cookie never stands in for it. A token in the query string or a form is none (RFC 9700).
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
 * Who sends a request. Errors: `unauthorized` without a valid token; `forbidden` for a write by cookie that another site may have made
 * the browser send (TRUST S23).
 */
export async function authenticate(quire: Quire, request: FastifyRequest): Promise<Principal> {
  const credential = credentialOf(request)
  if (!credential) throw new QuireError('unauthorized')
  if (credential.isCookie) requireOwnPage(quire, request)
  return quire.authenticate(credential.token)
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser says where a write comes from; who does not say it is no browser, and has no cookie of ours. */
function requireOwnPage({ baseUrl }: Quire, { method, headers }: FastifyRequest): void {
  if (safeMethods.has(method)) return
  const site = headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin'
  const { origin } = headers
  const isOwnOrigin = origin === undefined ? site === 'same-origin' : origin === new URL(baseUrl).origin
  if (isOwnSite && isOwnOrigin) return
  throw new QuireError('forbidden', `A write by cookie must come from a page of ${new URL(baseUrl).origin}.`)
}

function bearerToken(header: string): string | undefined {
  if (header.startsWith('Bearer ')) return header.slice('Bearer '.length).trim()
  return /^bearer +(\S+)$/i.exec(header)?.[1]
}
