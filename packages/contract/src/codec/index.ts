export type { Cookie } from './cookie.ts'
export { createCors, isForEveryOrigin, type Cors, type CorsOptions } from './cors.ts'
export * from '../errors.ts'
export { originMatcher } from '../origins.ts'
export {
  decodeCallOptions,
  decodeConditions,
  encodeCallOptions,
  safeProgram,
  safeRequestId,
} from './call-headers.ts'
export { decodeBody } from './decode-body.ts'
export { hasFewValues } from './few-values.ts'
export { createInputDecoder, decodeInput, type RequestParts } from './decode-input.ts'
export { decodePlainResponse, type ReceivedResponse } from './decode-response.ts'
export {
  encodeAnswer,
  encodeError,
  encodeTokenError,
  encodeWorkflowError,
  isWorkflowEvent,
  type Outcome,
  type Reply,
  type ReplyContext,
  namesTag,
} from './encode-answer.ts'
export { encodeBinary, type BinaryReply, type BinaryRequest } from './encode-binary.ts'
export { encodeEvents, type EventsReply, type EventTexts, type StreamedEvent } from './encode-events.ts'
export { encodeGraphql } from './encode-graphql.ts'
export { encodePlainRequest, type EncodedRequest } from './encode-request.ts'
export { deepFreeze } from './invalid.ts'
export { leadElsewhere } from './lead-elsewhere.ts'
export { createPathMatcher, endpointPaths, type EndpointPath, type PathMatcher } from './match-path.ts'
export { createQueryParser, parseQuery, type Query } from './parse-query.ts'
export { decodeProxiedRequest, proxiedHeadersOf, proxiedReplyHeaders } from './proxied.ts'
export { isStreamed, type Route } from './route.ts'
export { bringsBytes, decodeTusRequest, tusErrorHeaders } from './tus.ts'
export { tusBytes, tusVersion } from './tus-request.ts'
export { decodeResponse, encodeRequest } from './whole.ts'
