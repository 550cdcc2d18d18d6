// What a client loads at once: no schema, and nothing of TUS, which stands beside.
export * from '../errors.ts'
export { decodePlainResponse, type ReceivedResponse } from './decode-response.ts'
export { encodePlainRequest, type EncodedRequest } from './encode-request.ts'
export type { Route } from './route.ts'
