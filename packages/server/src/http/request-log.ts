import type { Log } from '@quire/core/ports'
import { logTraceId, type Principal } from '@quire/core'
import { traceHeadersOf } from '@quire/http/shared'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headerOf } from './header-of.ts'

/**
 * Logs one entry when the response is closed. It has no body, header or query string, so it cannot
 * contain a secret (TRUST S25). `aborted` means that the caller disconnected before the response
 * was sent.
 */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const start = performance.now()
  const traceId = logTraceId(traceHeadersOf(headerOf(request)))
  reply.raw.on('close', () => {
    const { writableFinished, statusCode } = reply.raw
    const members = {
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: statusCode,
      ms: Math.round((performance.now() - start) * 100) / 100,
      requestId: request.id,
      ...(traceId !== undefined && { traceId }),
      principal: nameOf(request.principal),
    }
    log.write('info', 'request', writableFinished ? members : { ...members, aborted: true })
  })
}

function nameOf(principal: Principal | null): string {
  if (principal === null || principal.kind === 'anonymous') return 'anonymous'
  if (principal.kind === 'system') return `system:${principal.name}`
  return principal.readsIn === undefined ? principal.id : `${principal.id} (reading token)`
}
