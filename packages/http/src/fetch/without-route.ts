import { QuireError } from '@quire/contract'
import { encodeError, encodeTokenError, type Cors } from '@quire/contract/codec'
import { commonHeaders } from '../responses/headers.ts'
import { findKnownPath } from '../routing/known-paths.ts'
import { isTokenPath, unknownError, type Located } from '../routing/locate.ts'
import { replyWith, type Answering } from './response.ts'
import type { OutgoingResponse } from './transport.ts'

/** The answer to a preflight, which browsers send without a token. Errors: `forbidden`. */
export function preflightOf(
  cors: Cors,
  answering: Answering,
  located: Located,
): OutgoingResponse | undefined {
  const { incoming, requestId } = answering
  const { method, header } = incoming
  if (method !== 'OPTIONS' || !header('access-control-request-method')) return undefined
  const origin = header('origin') ?? undefined
  if (origin === undefined) return undefined
  const known = findKnownPath(located.path)
  const { methods = [], everyOrigin: isForAll = false } = known ?? {}
  const wanted = header('access-control-request-headers') ?? undefined
  const allowed = cors.preflight({ origin, isForAll, methods, headers: wanted })
  return { status: 204, headers: { ...commonHeaders, ...allowed, 'x-request-id': requestId }, body: null }
}

/** The redirect of a folder to its address with a slash: links in the folder are relative. */
export function redirectToFolder(answering: Answering): OutgoingResponse {
  const { incoming, requestId, search } = answering
  const [path = ''] = incoming.url.split('?', 1)
  const name = path.split('/').at(-1)
  // A relative redirect: a proxy may have removed a prefix of the path. It begins with a dot because
  // the name may contain a colon.
  const location = `./${name}/${search}`
  const headers = { location, 'cache-control': 'public, max-age=60', 'x-request-id': requestId }
  return replyWith(answering, { status: 301, headers })
}

/** The response to an address of no route: 405 for a known path with another method, otherwise 404. */
export function refuseUnknown(
  answering: Answering,
  { path }: Extract<Located, { kind: 'unknown' }>,
): OutgoingResponse {
  const { incoming, requestId } = answering
  const { error, known } = unknownError(path, incoming.method)
  if (error.code === 'not_found') throw error
  const encode = isTokenPath(path) ? encodeTokenError : encodeError
  const { headers, ...encoded } = encode(new QuireError('method_not_allowed'), requestId)
  return replyWith(answering, {
    ...encoded,
    headers: { ...headers, allow: known?.methods.join(', ') ?? '' },
  })
}
