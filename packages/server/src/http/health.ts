import type { Quire } from '@quire/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { send } from './send.ts'

const open = { public: true, always: true } as const

// A store that does not answer within this time will not answer the next request in time either.
const readyMs = 2000

/** What `/readyz` says: only `ok` is 200. */
export type ReadyWord = 'ok' | 'starting' | 'stopping' | 'unavailable'

/** Whether an engine takes requests. */
export interface Readiness {
  /** `unavailable` when store, binaries or queue do not answer within two seconds. */
  word(): Promise<ReadyWord>
  /** From now on the word is `stopping`. */
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
 * GET /livez: the process runs. GET /readyz: it takes requests, 503 when what it stands on does not answer and from the moment on at which
 * the server stops. A word each, no more: both answer without a token.
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

/** A word as an answer, whichever listener sends it. */
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
