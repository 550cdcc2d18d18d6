import type { CallOptions } from '../api/call.ts'
import { encodeCallOptions } from './call-headers.ts'
import { decodePlainResponse, type ReceivedResponse } from './decode-response.ts'
import { bytesOf, encodePlainRequest, located, type EncodedRequest } from './encode-request.ts'
import { encodeProxiedRequest } from './proxied.ts'
import type { Route } from './route.ts'
import { decodeTusAnswer } from './tus-answer.ts'
import { encodeTusHeaders } from './tus-request.ts'

/**
 * Any call as a request, including TUS and proxied calls. Errors: QuireError `invalid` that names
 * the member that cannot be sent.
 */
export function encodeRequest(route: Route, input: unknown, options: CallOptions = {}): EncodedRequest {
  if (route.body === 'message') return encodeProxiedRequest(route, input, options)
  if (route.body !== 'tus') return encodePlainRequest(route, input, options)
  const { path, rest } = located(route, input)
  const { file, ...members } = rest
  const request = { method: route.method, path }
  const headers = { ...encodeCallOptions(options), ...encodeTusHeaders(members) }
  if (file === undefined) return { ...request, headers }
  const typed = { ...headers, 'content-type': 'application/offset+octet-stream' }
  return { ...request, headers: typed, file: bytesOf(file) }
}

/** The value of any response, including TUS. Errors: as `decodePlainResponse`. */
export function decodeResponse(route: Route, response: ReceivedResponse): unknown {
  const isTus = route.body === 'tus' && response.status >= 200 && response.status < 300
  return isTus ? decodeTusAnswer(route.method, response.header) : decodePlainResponse(route, response)
}

export { proxiedHeadersOf } from './proxied.ts'
