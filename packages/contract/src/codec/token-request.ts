import type { ReceivedResponse } from './received-response.ts'
import type { Refusal, SpecialRequest } from './special-form.ts'

/** A request for a token (RFC 6749 §4.4.2). */
export function encodeTokenRequest(form: Readonly<Record<string, unknown>>): SpecialRequest {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, form }
}

/** The error in a response of the token endpoint, if it is one. */
export function refusalOfToken({ status, header, text }: ReceivedResponse): Refusal | undefined {
  if (status !== 400 && status !== 401 && status !== 429) return undefined
  const error = errorIn(text)
  if (typeof error !== 'string') return undefined
  return { status, error, retryAfter: Number(header('retry-after')) || undefined }
}

function errorIn(text: string): unknown {
  try {
    return Object(JSON.parse(text)).error
  } catch {
    return undefined
  }
}
