import { endpoints, type AnswerInfo, type AnyContent, type Api, type CallOptions } from '@quire/contract'
import type { Principal } from './engine/access/identity.ts'
import { createAuthenticator } from './people/auth/authenticate.ts'
import { Serialized, valueOf, type Answer } from './engine/answer.ts'
import { AnswerTags } from './engine/cache-tags/answer-tags.ts'
import { recordPurgedTags } from './engine/cache-tags/record-purged-tags.ts'
import { completeWiring, type Running } from './engine/call.ts'
import { createAnnouncer, subscribeToPeers } from './engine/changes.ts'
import { createShared, createMemo } from './engine/shared.ts'
import { ServedBytes } from './engine/served-bytes.ts'
import type { Origin, Quire, QuireOptions, Request } from './engine/quire.ts'
import { openJobs } from './automation/jobs/open.ts'
import { createHandlers } from './job-handlers.ts'
import { outdateApprovals } from './branches/packages/review.ts'
import { createAfterHooks } from './automation/hooks/after.ts'
import { queueDeliveries } from './automation/webhooks/fan-out.ts'
import { StoreUnavailable } from './ports/index.ts'
import { invoke, permit, run } from './run.ts'
import { wholeEnvironment } from './whole-environment.ts'

/**
 * The engine over a store. All other ports are optional and have defaults that run anywhere: the
 * system clock, random ids, no log, and a server key that lives as long as the process. Set
 * `secrets` to keep tokens and accounts valid after a restart.
 */
export function createQuire(options: QuireOptions): Quire {
  const environment = wholeEnvironment(options)
  const { peers } = environment
  const runsJobs = options.jobs !== 'elsewhere'
  const handlers = createHandlers()
  const shared = createShared([...handlers.keys()])
  const wiring = completeWiring({
    invoke,
    async deliver(call, recorded) {
      await outdateApprovals(call, recorded)
      await recordPurgedTags(call, recorded)
      await queueDeliveries(call, recorded)
      if (environment.hooks) await queueAfterHooks(call, recorded)
    },
    announce: createAnnouncer(shared, peers),
    ...(runsJobs && { wake: () => worker.wake() }),
  })
  const unsubscribe = peers && subscribeToPeers(shared, peers)
  const running: Running = { environment, memo: createMemo(), shared, wiring }
  const queueAfterHooks = createAfterHooks(running)
  const worker = openJobs(running, { ...options, handlers })
  return {
    baseUrl: environment.baseUrl,
    as: <C extends object = AnyContent>(principal: Principal, origin?: Origin) =>
      apiFor<C>(running, { principal, ...(origin && { origin }) }),
    run: (request) => run(running, request),
    permit: (head) => permit(running, head),
    authenticate: createAuthenticator(running),
    work: () => worker.start(),
    settled: async () => {
      await worker.settled()
      await shared.settled()
    },
    ready: async () => {
      const { blobs } = environment
      const { store } = environment
      await Promise.all([store.ping().catch(tolerateFull), blobs.ping(), store.jobs.running(1)])
    },
    close: async () => {
      unsubscribe?.()
      shared.stop()
      await Promise.all([worker.stop(), shared.settled()])
      await environment.outbound.close()
      await environment.pageDiffs.close()
      await environment.store.close()
    },
  }
}

/**
 * A store without room is ready: it reads, and writes what frees space. Every other server of a full
 * database is as full. Errors: any other failure of a store.
 */
function tolerateFull(error: unknown): void {
  if (!(error instanceof StoreUnavailable && error.kind === 'full')) throw error
}

/** The typed API of one caller, with a function for each endpoint. */
function apiFor<C extends object>(running: Running, caller: Pick<Request, 'principal' | 'origin'>): Api<C> {
  const api: Record<string, Record<string, unknown>> = {}
  for (const { group, operation } of endpoints) {
    const functions = (api[group] ??= {})
    functions[operation] = async (input: unknown = {}, options: CallOptions = {}) => {
      const cacheTags = options.onAnswer && new AnswerTags()
      const request = { ...caller, group, operation, input, options, cacheTags } as Request
      const answer = await run(running, request)
      options.onAnswer?.(infoOf(answer, cacheTags?.tags()))
      return valueOf(answer)
    }
  }
  // The only place where the contract's types meet a loop over its names.
  return api as unknown as Api<C>
}

function infoOf(answer: Answer<unknown>, tags: readonly string[] = []): AnswerInfo {
  const isTagged = answer instanceof Serialized || answer instanceof ServedBytes
  return {
    etag: isTagged ? answer.etag : null,
    replayed: answer instanceof Serialized && answer.replayed,
    ...(tags.length > 0 && { cacheTags: tags }),
  }
}
