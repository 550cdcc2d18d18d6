// What a client loads at once: no schemas. Special forms and events are modules of their own, which
// it loads with the first such call.
export * from '../errors.ts'
export {
  decodePlainResponse,
  decodeSpecialResponse,
  foreignError,
  type ReceivedResponse,
} from './decode-response.ts'
export { encodePlainRequest, encodeSpecialRequest, type EncodedRequest } from './encode-request.ts'
export { isStreamed, type Route } from './route.ts'
export type { SpecialForm } from './special-form.ts'
