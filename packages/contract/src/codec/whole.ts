import type { CallOptions } from '../api/call.ts'
import { decodePlainResponse, decodeSpecialResponse, type ReceivedResponse } from './decode-response.ts'
import { encodePlainRequest, encodeSpecialRequest, type EncodedRequest } from './encode-request.ts'
import { specialForms } from './special-forms.ts'
import type { Route } from './route.ts'

/**
 * Any call as a request, also in a special form. Errors: QuireError `invalid` that names the member
 * that cannot be sent.
 */
export function encodeRequest(route: Route, input: unknown, options: CallOptions = {}): EncodedRequest {
  const form = specialForms[route.body]
  return form
    ? encodeSpecialRequest(form, { route, input, options })
    : encodePlainRequest(route, input, options)
}

/** The value of any response. Errors: as `decodePlainResponse`. */
export function decodeResponse(route: Route, response: ReceivedResponse): unknown {
  const form = specialForms[route.body]
  return form ? decodeSpecialResponse(form, route, response) : decodePlainResponse(route, response)
}
