import {
  QuireError,
  type CallOptions,
  type KeyPermission,
  type Permission,
  type PermissionKey,
} from '@quire/contract'
import type { Answer } from './answer.ts'
import type { Identity, Principal } from './access/identity.ts'
import { mayDo, type Target } from './access/permissions.ts'
import type { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Environment, Origin } from './environment.ts'
import type {
  Entity,
  Job,
  JournalEntry,
  NewJob,
  StoreReader,
  Transaction,
  TransactionOptions,
} from '../ports/index.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import { withTrace } from './job-trace.ts'
import type { OperationName, OutputNamed } from './operation-name.ts'
import type { Memo, Shared } from './shared.ts'
import { requireWithinQuotas } from './quotas.ts'
import { addPurged, addRecorded, isWorthDelivering, nothingRecorded, type Recorded } from './recorded.ts'
import { describeSpan, inPartSpan, noTrace, withActiveTrace, type Trace } from './trace.ts'

/**
 * One call of one operation: the caller, the time and the store to use. Operations take it as their
 * first parameter and pass it on.
 */
export interface Call {
  readonly environment: Environment
  readonly identity: Identity
  /** The caller as named by the token, with the token's claims. */
  readonly principal: Principal
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly origin: Origin
  /** Unix ms at which the call began; everything that it writes has this time. */
  readonly now: number
  /** Reads of committed data; inside a transaction, of that transaction. */
  readonly store: StoreReader
  readonly memo: Memo
  readonly shared: Shared
  readonly wiring: Wiring
  /**
   * Aborted when the caller goes away. For operations that wait for others or stream; undefined:
   * never aborted.
   */
  readonly signal: AbortSignal | undefined
  /** The OpenTelemetry context of the call. Without a trace: `noTrace`. */
  readonly trace: Trace
  /** The media types that the caller accepts; undefined: all. */
  readonly accept: string | undefined
  /** Collects the cache tags of the answer; undefined: nobody asks for them. */
  readonly cacheTags: AnswerTags | undefined
  /**
   * The stored answer's key, for operations that call external services, when the caller sent an
   * Idempotency-Key.
   */
  readonly once?: IdempotencyKey
  /** The permission that the operation declares; undefined for calls of the process itself. */
  readonly permission: Permission | undefined
  /**
   * For operations that save by others in one transaction: the validated input of each of these, for
   * which the hooks have run before the transaction began. Undefined: hooks run for each by itself.
   */
  readonly prepared?: (name: OperationName, input: Record<string, unknown>) => Record<string, unknown>
  /** The caller's comment on the change, for the journal. */
  readonly comment?: string
  /**
   * The same call with the current time and the caller's current permissions, for calls that waited
   * for bytes. Errors: `unauthorized`.
   */
  renewed(): Promise<Call>
  /**
   * Runs `work` in a transaction: either everything that it writes is committed, or nothing. Inside
   * a transaction it is a savepoint, which can fail alone. Called on a copy of the call with other
   * members, it writes with those members.
   */
  readonly write: <T>(work: (call: WriteCall) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /**
   * Runs another operation for the same caller, with the same checks as if it were called alone.
   * Inside a transaction it joins that transaction. This call's dry run and Idempotency-Key apply.
   * `input` has the form that callers send. Errors: those of the operation; `forbidden`, `invalid`.
   */
  readonly invoke: <N extends OperationName>(name: N, input: object) => Promise<Answer<OutputNamed<N>>>
}

/** A call inside a transaction; its reads include its own writes. */
export interface WriteCall extends Call {
  readonly store: Transaction
  /**
   * Writes to the journal; the resulting deliveries are committed in the same transaction.
   * `written` is the head that the entry is about, as the transaction wrote it, which saves reading
   * it again.
   */
  readonly record: (entry: JournalEntry, written?: Entity) => Promise<void>
  /** Adds cache tags of public answers that change with this transaction, beside those of its records. */
  readonly purgeTags: (repositoryId: string, tags: Iterable<string>) => void
  /** Queues a job. A worker looks for it after the commit. */
  readonly enqueue: (job: NewJob) => Promise<Job>
  /**
   * Runs a function after the commit; the same function only once. Only for work that may be lost
   * in a crash. It must not fail.
   */
  readonly afterCommit: (run: () => void) => void
}

/** Functions that the top of the core, which knows all areas, passes to every call. */
export interface Wiring {
  /** Runs an operation by name, after the checks that all operations share. */
  readonly invoke: (call: Call, name: OperationName, input: object) => Promise<Answer<unknown>>
  /** Called at the end of a transaction, inside it: queues the deliveries for what it recorded. */
  readonly deliver: (call: WriteCall, recorded: Recorded) => Promise<void>
  /** Called after a transaction: notifies this process and the others of the commit. */
  readonly announce: () => void
  /** Called after a transaction that queued a job: makes a worker of this process look for it. */
  readonly wake: () => void
}

/**
 * Completes the wiring: missing functions do nothing, and without `invoke` operations cannot run other
 * operations.
 */
export function completeWiring(given: Partial<Wiring> = {}): Wiring {
  const invoke = () => Promise.reject(new Error('These calls cannot run other operations.'))
  return {
    invoke,
    deliver: async () => undefined,
    announce: () => undefined,
    wake: () => undefined,
    ...given,
  }
}

/** What all calls of one engine share. */
export interface Running {
  readonly environment: Environment
  readonly memo: Memo
  readonly shared: Shared
  readonly wiring: Wiring
}

/** The input of `createCall`. */
export interface CallOrigin extends Running {
  readonly identity: Identity
  readonly principal: Principal
  readonly options: CallOptions
  readonly origin: Origin
  readonly permission?: Permission
  readonly trace?: Trace
  readonly cacheTags?: AnswerTags | undefined
  /** The caller's current identity. Errors: `unauthorized`. */
  readonly identify: () => Promise<Identity>
}

/** Creates a call on the committed store. */
export function createCall(from: CallOrigin): Call {
  const { environment, identity, principal, memo, shared, wiring, options, origin, permission, cacheTags } =
    from
  const requestId = options.requestId ?? environment.ids.next('REQ')
  return {
    environment,
    identity,
    principal,
    memo,
    shared,
    wiring,
    accept: options.accept,
    cacheTags,
    signal: options.signal,
    origin,
    permission,
    trace: from.trace ?? noTrace,
    requestId,
    ifMatch: options.ifMatch,
    now: environment.clock.now(),
    store: environment.store,
    renewed: async () =>
      createCall({ ...from, identity: await from.identify(), options: { ...options, requestId } }),
    write(work, options) {
      return commitInSpan(this, work, options)
    },
    // The map of operations guarantees the output type for each name.
    invoke(name, input) {
      return this.wiring.invoke(this, name, input) as Promise<Answer<never>>
    },
  }
}

function commitInSpan<T>(
  call: Call,
  work: (call: WriteCall) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  const span = { name: 'quire.transaction', attributes: {} }
  return inPartSpan(call.trace, span, (trace) => commit({ ...call, trace }, work, options))
}

/** Runs a transaction. Records in it also create their deliveries. Errors: `quota_exceeded`. */
async function commit<T>(
  call: Call,
  work: (call: WriteCall) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  const { environment, wiring, origin } = call
  const { meter } = origin
  const asked = performance.now()
  let recorded = nothingRecorded()
  const result = await environment.store.transaction(async (tx) => {
    // A transaction waits in a queue. From here on, time is charged to this caller.
    meter?.begin()
    describeSpan(call.trace, { 'quire.transaction.wait_ms': Math.round(performance.now() - asked) })
    try {
      recorded = nothingRecorded()
      const inside = inTransaction(call, tx, recorded)
      // The store may begin it within another call.
      const done = await withActiveTrace(call.trace, () => work(inside))
      if (isWorthDelivering(recorded)) await wiring.deliver(inside, recorded)
      await requireWithinQuotas(tx)
      return done
    } finally {
      meter?.end()
    }
  }, options)
  wiring.announce()
  for (const run of recorded.after) run()
  return result
}

function inTransaction(call: Call, store: Transaction, recorded: Recorded): WriteCall {
  return {
    ...call,
    store,
    async record(entry, head) {
      await store.journal.record(entry)
      recorded.entries.push(entry)
      if (head) recorded.head = head
    },
    purgeTags: (repositoryId, tags) => addPurged(recorded, repositoryId, tags),
    enqueue(job) {
      recorded.after.add(call.wiring.wake)
      return store.jobs.enqueue(withTrace(job, call.trace))
    },
    afterCommit: (run) => void recorded.after.add(run),
    write(work) {
      return savepoint(this, work, recorded)
    },
  }
}

/** A part of a transaction that can fail alone: then nothing that it recorded remains. */
async function savepoint<T>(
  call: WriteCall,
  work: (call: WriteCall) => Promise<T>,
  outer: Recorded,
): Promise<T> {
  const own = { ...nothingRecorded(), head: outer.head }
  const result = await call.store.nested((inner) => work(inTransaction(call, inner, own)))
  addRecorded(outer, own)
  return result
}

/** Makes another caller's call take part in the same transaction. */
export function joinTransaction(
  call: Call,
  { store, record, purgeTags, enqueue, afterCommit, write }: WriteCall,
): WriteCall {
  return { ...call, store, record, purgeTags, enqueue, afterCommit, write }
}

/** The same call with the `comment` of its input, if there is one. */
export function withComment<C extends Call>(call: C, { comment }: Readonly<Record<string, unknown>>): C {
  return typeof comment === 'string' && comment !== '' ? { ...call, comment } : call
}

/** Caches a value computed from committed records; inside a transaction it is always computed. */
export function remember<T>(call: Call, key: string, compute: () => Promise<T>): Promise<T> {
  return call.store === call.environment.store ? call.memo.get(call.store.records, key, compute) : compute()
}

/** Requires the key, or one of several, on a target. Errors: `forbidden` with the missing key. */
export function requirePermission(call: Call, key: KeyPermission['key'], target: Target = {}): void {
  const keys = typeof key === 'string' ? [key] : key
  if (!keys.some((one) => mayDo(call.identity.permissions, one, target))) throw notPermitted(keys)
}

/**
 * The error for a caller who holds none of these keys where they are required; its details name the
 * first.
 */
export function notPermitted(keys: readonly PermissionKey[]): QuireError {
  return new QuireError('forbidden', `Your roles do not permit this: it needs ${keys.join(' or ')}.`, {
    details: { permission: keys[0] },
  })
}
