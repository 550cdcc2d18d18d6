import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { safeRequestId } from '@quire/contract/codec'

/** The caller's `X-Request-Id` if it is safe, otherwise a new id. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return (typeof sent === 'string' && safeRequestId(sent)) || randomUUID()
}
