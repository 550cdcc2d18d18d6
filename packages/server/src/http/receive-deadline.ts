import type { IncomingMessage } from 'node:http'
import { QuireError } from '@quire/contract'

/**
 * Ends a request whose body does not arrive in time. Fastify has no such limit, and Node's counts
 * from the first header (TRUST 4.2). The reader of the body gets the error; without a reader, the
 * connection is closed.
 */
export function limitReceiving(request: IncomingMessage, milliseconds: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return
  const timer = setTimeout(() => giveUp(request, milliseconds), milliseconds)
  timer.unref()
  const stop = () => clearTimeout(timer)
  request.on('end', stop)
  request.on('close', stop)
}

function giveUp(request: IncomingMessage, milliseconds: number): void {
  const isRead = request.listenerCount('error') > 0
  const message = `The body did not arrive within ${milliseconds / 1000} seconds.`
  if (isRead) request.emit('error', new QuireError('invalid', message))
  else request.destroy()
}
