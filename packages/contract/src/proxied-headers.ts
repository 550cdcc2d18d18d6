/** Methods of requests that are passed on. */
export const proxiedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Headers of requests that are passed on (TRUST S28). What says who asks, where from or over which connection is not among them, nor what
 * would make the answer another than was asked for.
 */
export const proxiedRequestHeaders: readonly string[] = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'idempotency-key',
  'prefer',
  'range',
]

/** Headers of answers that are passed on. What would set cookies, open connections or speak for our origin is not among them. */
export const proxiedAnswerHeaders: readonly string[] = [
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'preference-applied',
  'retry-after',
]

/** The header that says of an answer that it is the upstream's, with the upstream's status. */
export const proxiedStatusHeader = 'quire-upstream-status'
