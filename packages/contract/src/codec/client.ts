// What a client loads at once: no schema, and nothing of TUS or of events, which stand beside.
export * from '../errors.ts'
export { decodePlainResponse, type ReceivedResponse } from './decode-response.ts'
export { encodePlainRequest, type EncodedRequest } from './encode-request.ts'
export { isStreamed, type Route } from './route.ts'
