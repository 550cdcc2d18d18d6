import { endpoints, type AnswerInfo, type AnyContent, type Api, type CallOptions } from '@quire/contract'
import type { Who } from './access/identity.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { announcing, hearingOthers } from './call/announcing.ts'
import { Presented, valueOf, type Answer } from './call/answer.ts'
import { createShared } from './call/shared.ts'
import { ServedBytes } from './call/served-bytes.ts'
import { createMemo } from './call/memo.ts'
import type { Environment } from './call/environment.ts'
import type { Quire, QuireOptions, Request } from './engine.ts'
import { openJobs } from './jobs/open.ts'
import { run, type Running } from './run.ts'
import { wholeEnvironment } from './whole-environment.ts'

/**
 * The engine over a store. Without more it runs anywhere: a clock and ids of its own, no log, and a server key that lives as
 * long as the process (give `secrets` to keep tokens and accounts valid after a restart).
 */
export function createQuire(options: QuireOptions): Quire {
  const shared = createShared()
  const whole = wholeEnvironment(options)
  const environment: Environment = { ...whole, store: announcing(whole.store, shared, whole.peers) }
  const deaf = whole.peers && hearingOthers(shared, whole.peers)
  const memo = createMemo()
  const { worker, store } = openJobs({ ...options, memo, shared, environment })
  const running: Running = { environment: { ...environment, store }, memo, shared }
  return {
    baseUrl: environment.baseUrl,
    as: <C extends object = AnyContent>(who: Who) => apiFor<C>(running, who),
    run: (request) => run(running, request),
    authenticate: createAuthenticator(running),
    work: () => worker.start(),
    settled: () => worker.settled(),
    ready: async () => {
      const { blobs } = environment
      await Promise.all([environment.store.ping(), blobs.ping(), environment.store.jobs.running(1)])
    },
    close: async () => {
      deaf?.()
      shared.stop()
      await Promise.all([worker.stop(), shared.settled()])
      await environment.outbound.close()
      await environment.pageDiffs.close()
      await environment.store.close()
    },
  }
}

/** The typed API of one identity: a function for each endpoint, built once. */
function apiFor<C extends object>(running: Running, who: Who): Api<C> {
  const api: Record<string, Record<string, unknown>> = {}
  for (const { group, operation } of endpoints) {
    const functions = (api[group] ??= {})
    functions[operation] = async (input: unknown = {}, options: CallOptions = {}) => {
      const answer = await run(running, { group, operation, who, input, options } as Request)
      options.onAnswer?.(infoOf(answer))
      return valueOf(answer)
    }
  }
  // The one border where the contract's types meet the loop over its names.
  return api as unknown as Api<C>
}

function infoOf(answer: Answer<unknown>): AnswerInfo {
  return answer instanceof Presented
    ? { etag: answer.etag, replayed: answer.replayed }
    : { etag: answer instanceof ServedBytes ? answer.etag : null, replayed: false }
}
