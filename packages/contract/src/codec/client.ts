// What a client loads at once: no schemas, and no code for TUS or events, which are separate
// modules.
export * from '../errors.ts'
export { decodePlainResponse, type ReceivedResponse } from './decode-response.ts'
export { encodePlainRequest, type EncodedRequest } from './encode-request.ts'
export { isStreamed, type Route } from './route.ts'
