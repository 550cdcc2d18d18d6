import type { Quire } from '@quire/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { send } from './send.ts'

const open = { public: true, always: true } as const

// A store that does not answer within this time will not answer the next request in time either.
const readyMs = 2000

/** The status that `/readyz` reports: only `ok` is sent with 200. */
export type ReadyWord = 'ok' | 'starting' | 'stopping' | 'unavailable'

/** Whether an engine accepts requests. */
export interface Readiness {
  /** `unavailable` when store, binaries or queue do not answer within two seconds. */
  word(): Promise<ReadyWord>
  /** From now on the status is `stopping`. */
  stop(): void
}

/** The readiness of an engine that is not stopping. */
export function createReadiness(quire: Pick<Quire, 'ready'>): Readiness {
  let isStopping = false
  return {
    stop() {
      isStopping = true
    },
    async word() {
      if (isStopping) return 'stopping'
      return (await answers(quire)) ? 'ok' : 'unavailable'
    },
  }
}

/**
 * Serves /livez, which answers while the process runs, and /readyz, which answers 200 while
 * requests are accepted. /readyz answers 503 when store, binaries or queue do not respond, and from
 * the moment the server stops. Both answer without a token, so they reveal nothing but a status.
 */
export function addHealth(app: FastifyInstance, quire: Quire): void {
  const readiness = createReadiness(quire)
  app.addHook('preClose', async () => readiness.stop())
  app.get('/livez', { config: open }, (_request, reply) => sendWord(reply, 'ok'))
  app.get('/readyz', { config: open }, async (_request, reply) => sendWord(reply, await readiness.word()))
}

async function answers(quire: Pick<Quire, 'ready'>): Promise<boolean> {
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

/** The response for a status, the same for every listener. */
export function wordAnswer(word: ReadyWord): {
  readonly status: 200 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const status = word === 'ok' ? 200 : 503
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { status, headers, body: JSON.stringify({ status: word }) }
}

function sendWord(reply: FastifyReply, word: ReadyWord): FastifyReply {
  const { headers, ...answer } = wordAnswer(word)
  send(reply, { ...answer, headers: { ...headers, 'x-request-id': reply.request.id } })
  return reply
}
