import { QuireError, type Permission } from '@quire/contract'
import { anonymous, type Quire, type Principal } from '@quire/core'
import { parseCookie } from 'cookie'

/** The value of a request header by its name in lower case. */
export type HeaderOf = (name: string) => string | null | undefined

/** A request as far as it identifies its sender. */
export interface Sender {
  readonly method: string
  readonly header: HeaderOf
}

/** The principal of public routes, whatever credentials were sent. */
export const nobody: Principal = anonymous

/** The credential of a request; undefined when there is none. */
export type Credential = { readonly token: string; readonly isCookie: boolean } | undefined

/**
 * The token of a request: from its `Authorization` header, else from the cookie `token`
 * (specification 5.2.1). A header without a token still counts, so that a cookie never replaces it.
 * A token in the query string or in a form is ignored (RFC 9700).
 */
export function credentialOf(header: HeaderOf): Credential {
  const authorization = header('authorization') ?? undefined
  if (authorization !== undefined) return { token: bearerToken(authorization) ?? '', isCookie: false }
  const cookie = header('cookie') ?? undefined
  const token = cookie === undefined ? undefined : cookieOf(cookie, 'token')
  return token === undefined || token === '' ? undefined : { token, isCookie: true }
}

/** One cookie of a `Cookie` header. */
export function cookieOf(header: string, name: string): string | undefined {
  return parseCookie(header)[name]
}

/**
 * The principal of a request to a route with a permission; anonymous where that is allowed and no
 * credential was sent. Errors: as `authenticate`.
 */
export function identify(
  quire: Quire,
  sender: Sender,
  permission: Permission | undefined,
): Promise<Principal> {
  if (permission !== 'published') return authenticate(quire, sender)
  const credential = credentialOf(sender.header)
  if (!credential) return Promise.resolve(nobody)
  // A browser sends its cookie with every request: an expired one must not block what is public.
  return credential.isCookie ? authenticate(quire, sender).catch(() => nobody) : authenticate(quire, sender)
}

/**
 * The principal of a request. Errors: `unauthorized` without a valid token; `forbidden` for a write
 * by cookie that another site may have made the browser send (TRUST S23).
 */
async function authenticate(quire: Quire, sender: Sender): Promise<Principal> {
  const credential = credentialOf(sender.header)
  if (!credential) throw new QuireError('unauthorized')
  if (credential.isCookie) requireOwnPage(quire, sender)
  return quire.authenticate(credential.token)
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects writes by cookie from other sites. A browser names the origin of a write. A client that
 * does not is not a browser, and has no cookie of ours.
 */
function requireOwnPage({ baseUrl }: Quire, { method, header }: Sender): void {
  if (safeMethods.has(method)) return
  const site = header('sec-fetch-site') ?? undefined
  const isOwnSite = site === undefined || site === 'same-origin'
  const origin = header('origin') ?? undefined
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
