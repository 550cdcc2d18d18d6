/**
 * What the Fastify server and the fetch handler have in common. Not for applications: it changes
 * with them.
 */
export { createAdmission, type AdmissionOptions } from './admission/admission.ts'
export type { Admission } from './admission/limiter.ts'
export { defaultLoadLimits, watchLoad, type Load, type LoadLimits } from './admission/load.ts'
export {
  createRate,
  defaultRateLimits,
  noRateLimits,
  ratesOf,
  type Rate,
  type RateLimits,
} from './admission/rate.ts'
export {
  isStreamed,
  multipart,
  requireTextType,
  takesForms,
  textTypes,
  wrongType,
} from './bodies/media-types.ts'
export { readForm } from './bodies/read-form.ts'
export { createSlots, interleaved, type Slots } from './bodies/slots.ts'
export { credentialOf, identify, nobody } from './callers/authentication.ts'
export { accountOf, networkOf } from './callers/counted.ts'
export { withBasicCredentials } from './callers/client-credentials.ts'
export { originOf, refusalContext, traceHeadersOf } from './callers/origin.ts'
export { hasDeadline, answerMs, tooSlow, waitsForOthers } from './fetch/deadline.ts'
export {
  cacheTagHeaders,
  edgeHeaders,
  edgeTagsOf,
  type CacheTagHeader,
  type EdgeTags,
} from './responses/edge-headers.ts'
export { commonHeaders, headersBeside, onlyHttps, withInvalidToken } from './responses/headers.ts'
export { knownError } from './responses/known-error.ts'
export { escaped, isSitePage, sitePageOf } from './responses/site-error-page.ts'
export { weightsOf } from './responses/weights.ts'
export { bodyLimitOf, callOptionsOf, requireNames, requireOpened } from './routing/call-options.ts'
export { restOf, type ContractEndpoint } from './routing/find-route.ts'
export { findKnownPath } from './routing/known-paths.ts'
export { isPublicPath, isTokenPath, longNameIn, maxParamLength, unknownError } from './routing/locate.ts'
export { requestIdOf } from './routing/request-id.ts'
export type { SharedRate } from './admission/share-counts.ts'
