import type { Quire } from '@quire/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { send } from './send.ts'

const open = { public: true, always: true } as const

// A store that does not answer within this time will not answer the next request in time either.
const readyMs = 2000

/**
 * GET /livez: the process runs. GET /readyz: it takes requests, 503 when the store does not answer and from the moment on at which
 * the server stops. A word each, no more: both answer without a token.
 */
export function addHealth(app: FastifyInstance, quire: Quire): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get('/livez', { config: open }, (_request, reply) => word(reply, 200, 'ok'))
  app.get('/readyz', { config: open }, async (_request, reply) => {
    if (isStopping) return word(reply, 503, 'stopping')
    const isReady = await answers(quire)
    return isReady ? word(reply, 200, 'ok') : word(reply, 503, 'unavailable')
  })
}

async function answers(quire: Quire): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), readyMs)
  })
  try {
    return await Promise.race([quire.ready().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function word(reply: FastifyReply, status: number, text: string): FastifyReply {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': reply.request.id,
    ...(status === 503 && { 'retry-after': '1' }),
  }
  send(reply, { status, headers, body: JSON.stringify({ status: text }) })
  return reply
}
