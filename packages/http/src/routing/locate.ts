import { contract, QuireError } from '@quire/contract'
import type { HeaderOf, Sender } from '../callers/authentication.ts'
import { findKnownPath, type KnownPath } from './known-paths.ts'
import { findRoute, isFolder, type Match } from './find-route.ts'

/** The part of a URL below the base of a handler. */
export interface Address {
  /** Percent-encoded, with a slash at its beginning. */
  readonly path: string
  /** With its question mark; empty when there is none. */
  readonly search: string
}

/** What a request leads to. */
export type Located = Address &
  (
    | { readonly kind: 'found'; readonly found: Match }
    | { readonly kind: 'folder' }
    | { readonly kind: 'unknown'; readonly error?: QuireError }
  )

/**
 * Most characters of one path parameter. The longest slug has 500. A router's own limit would be
 * lower, and refuse a longer one without a clear reason (TRUST 4.2).
 */
export const maxParamLength = 512

/** Finds the route of a request. Never throws: an address that cannot be read is unknown. */
export function locate({ method, header }: Sender, address: Address): Located {
  const { path } = address
  try {
    const found =
      findUpload(path, method === 'GET' ? 'HEAD' : method, header) ??
      findRoute(method, path) ??
      findWithoutNames(method, path)
    const long = found && longNameIn(found.params)
    if (long) return { ...address, kind: 'unknown', error: long }
    if (found) return { ...address, kind: 'found', found }
  } catch {
    const error = invalid('', 'The address is not well-formed: check its percent-encoding.')
    return { ...address, kind: 'unknown', error }
  }
  if (isReading(method) && isFolder(path)) return { ...address, kind: 'folder' }
  return { ...address, kind: 'unknown' }
}

/** Whether what a request leads to looks at no token. */
export function isPublic(located: Located): boolean {
  if (located.kind !== 'found') return located.kind === 'folder'
  return located.found.route.named.endpoint.permission === 'public'
}

/**
 * Whether an address that no route matched may be answered without a token: it belongs to no path
 * of the contract, or to one that needs none. The contract is public, so that reveals nothing.
 */
export function isPublicPath(address: string): boolean {
  return findKnownPath(address)?.isPublic !== false
}

/** The error for a path that no page and no endpoint can have: a browser gets a page that says so. */
export class NoSuchPage extends QuireError {}

const nowhere = 'There is nothing at this path: check it, and the baseUrl of a client.'

/** Paths that programs ask for: a browser gets JSON there, too. */
const ofPrograms = /^\/(?:api|oauth2|\.well-known)(?:\/|$)/

/** The error for an address that no route matched, and the methods that it accepts. */
export function unknownError(
  address: string,
  method: string,
): { readonly error: QuireError; readonly known: KnownPath | undefined } {
  const known = findKnownPath(address)
  const isWrongMethod = known && !known.methods.includes(method)
  if (isWrongMethod) return { error: new QuireError('method_not_allowed'), known }
  if (known) return { error: new QuireError('not_found'), known }
  const Missing = ofPrograms.test(address) ? QuireError : NoSuchPage
  return { error: new Missing('not_found', nowhere), known }
}

/** Whether errors of an address have the shape of the token endpoint. */
export function isTokenPath(address: string): boolean {
  return address === contract.auth.token.path
}

/** The error for the first name that is too long. */
export function longNameIn(params: Readonly<Record<string, string>>): QuireError | undefined {
  const long = Object.entries(params).find(([, value]) => value.length > maxParamLength)
  return long && invalid(long[0], `is longer than ${maxParamLength} characters`)
}

const overridden: ReadonlySet<string> = new Set(['HEAD', 'PATCH', 'DELETE'])

const uploads = `${contract.uploads.create.path}/`

/**
 * Uploads behind proxies (TUS 1.0): GET is answered as HEAD, into which caching proxies turn it.
 * POST does what its X-HTTP-Method-Override names, for clients whose proxy blocks those methods.
 */
function findUpload(path: string, method: string, header: HeaderOf): Match | undefined {
  const meant = method === 'POST' ? (header('x-http-method-override') ?? '') : method
  if (!overridden.has(meant) || !path.startsWith(uploads)) return undefined
  const found = findRoute(meant, path)
  return found?.route.named.endpoint.body === 'tus' ? found : undefined
}

/** `/api/items/magazine/` is an item without an id, which the operation's caller is told. */
function findWithoutNames(method: string, path: string): Match | undefined {
  const empty = /\/(?=\/|$)/g
  if (!/\/(?:\/|$)/.test(path)) return undefined
  const found = findRoute(method, path.replaceAll(empty, `/${nothing}`))
  if (!found) return undefined
  const params = Object.entries(found.params).map(([name, value]) => [name, value === nothing ? '' : value])
  return { ...found, params: Object.fromEntries(params) as Match['params'] }
}

// Stands for an empty segment. No name of ours has this character.
const nothing = '~'

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function invalid(path: string, message: string): QuireError {
  return new QuireError('invalid', path === '' ? message : `${path}: ${message}`, {
    issues: [{ path, message }],
  })
}
