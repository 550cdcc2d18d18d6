import { safeRequestId } from '@quire/contract/codec'

/** The caller's `X-Request-Id` if it is safe, otherwise a new id. */
export function requestIdOf(sent: string | null | undefined): string {
  return safeRequestId(sent) ?? crypto.randomUUID()
}
