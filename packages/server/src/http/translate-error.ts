import { QuireError, type TokenError } from '@quire/contract'
import { knownError } from '@quire/http/shared'

/**
 * Translates an error for the caller. Our own errors stay as they are, the framework's are
 * translated by code, and everything else is an internal error.
 */
export function translateError(error: unknown): QuireError | TokenError {
  return knownError(error) ?? frameworkError(error) ?? new QuireError('internal', undefined, { cause: error })
}

/**
 * Translates Fastify's errors by code. Any other error below 500 is a request that could not be
 * read.
 */
function frameworkError(error: unknown): QuireError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new QuireError('too_large', 'The body is too large.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new QuireError('unsupported_media_type')
  if (code === 'FST_ERR_BAD_URL')
    return invalid('The address is not well-formed: check its percent-encoding.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return invalid('The length of the body differs from Content-Length.')
  const isRequest = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return isRequest ? invalid('The request could not be read.') : undefined
}

function invalid(message: string): QuireError {
  return new QuireError('invalid', message, { issues: [{ path: '', message }] })
}
