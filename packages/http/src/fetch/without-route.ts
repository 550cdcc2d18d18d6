import { QuireError } from '@quire/contract'
import { encodeError, encodeTokenError, type Cors } from '@quire/contract/codec'
import { commonHeaders } from '../responses/headers.ts'
import { findKnownPath } from '../routing/known-paths.ts'
import { isTokenPath, unknownError, type Located } from '../routing/locate.ts'
import { replyWith, type Answering } from './to-response.ts'

/** The answer to a preflight, which browsers send without a token. Errors: `forbidden`. */
export function preflightOf(cors: Cors, answering: Answering, located: Located): Response | undefined {
  const { request, requestId } = answering
  const { method, headers } = request
  const origin = headers.get('origin') ?? undefined
  if (method !== 'OPTIONS' || origin === undefined || !headers.has('access-control-request-method'))
    return undefined
  const known = findKnownPath(located.path)
  const { methods = [], everyOrigin: isForAll = false } = known ?? {}
  const wanted = headers.get('access-control-request-headers') ?? undefined
  const allowed = cors.preflight({ origin, isForAll, methods, headers: wanted })
  return new Response(null, {
    status: 204,
    headers: { ...commonHeaders, ...allowed, 'x-request-id': requestId },
  })
}

/** The redirect of a folder to its address with a slash: links in the folder are relative. */
export function redirectToFolder(answering: Answering): Response {
  const { request, requestId, search } = answering
  const name = new URL(request.url).pathname.split('/').at(-1)
  // A relative redirect: a proxy may have removed a prefix of the path. It begins with a dot because
  // the name may contain a colon.
  const location = `./${name}/${search}`
  const headers = { location, 'cache-control': 'public, max-age=60', 'x-request-id': requestId }
  return replyWith(answering, { status: 301, headers })
}

/** The response to an address of no route: 405 for a known path with another method, otherwise 404. */
export function refuseUnknown(
  answering: Answering,
  { path, error: unreadable }: Extract<Located, { kind: 'unknown' }>,
): Response {
  const { request, requestId } = answering
  if (unreadable) throw unreadable
  const { error, known } = unknownError(path, request.method)
  if (error.code === 'not_found') throw error
  const encode = isTokenPath(path) ? encodeTokenError : encodeError
  const { headers, ...encoded } = encode(new QuireError('method_not_allowed'), requestId)
  return replyWith(answering, {
    ...encoded,
    headers: { ...headers, allow: known?.methods.join(', ') ?? '' },
  })
}
