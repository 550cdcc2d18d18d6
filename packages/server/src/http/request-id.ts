import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { safeRequestId } from '@quire/contract/codec'

/** The caller's `X-Request-Id` where it is safe, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return (typeof sent === 'string' && safeRequestId(sent)) || randomUUID()
}
