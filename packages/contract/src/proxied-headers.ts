/** Methods of requests that can be proxied. */
export const proxiedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Request headers that are proxied (TRUST S28). Headers that identify the caller, its origin or its
 * connection are not proxied, nor are headers that would change which response comes back.
 */
export const proxiedRequestHeaders = [
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
] as const

/**
 * Response headers that are proxied. Headers that set cookies, open connections or act for our
 * origin are not.
 */
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

/**
 * The response header that marks a response of the upstream. Its value is the upstream's status.
 */
export const proxiedStatusHeader = 'quire-upstream-status'
