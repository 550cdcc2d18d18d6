import type { CallOptions, Permission } from '@quire/contract'
import { safeProgram } from '@quire/contract/codec'
import type { JournalEntry, Transaction, TransactionOptions } from '../ports/index.ts'
import type { Answer } from './answer.ts'
import type { Identity, Principal } from './access/identity.ts'
import type { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Call, Recorded, Running, WriteCall } from './call.ts'
import type { Origin } from './environment.ts'
import { withTrace } from './job-trace.ts'
import { requireWithinQuotas } from './quotas.ts'
import { describeSpan, inPartSpan, noTrace, withActiveTrace, type Trace } from './trace.ts'

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
    locales: new Map(),
    requestId,
    program: safeProgram(options.program),
    ifMatch: options.ifMatch,
    now: environment.clock.now(),
    store: environment.store,
    renewed: async () =>
      createCall({ ...from, identity: await from.identify(), options: { ...options, requestId } }),
    write(work, options) {
      return inTransaction(this, work, options)
    },
    // The map of operations guarantees the output type for each name.
    invoke(name, input) {
      return this.wiring.invoke(this, name, input) as Promise<Answer<never>>
    },
  }
}

/**
 * Runs a transaction of a call, as part of its trace. Records in it also create their deliveries.
 * Errors: `quota_exceeded`.
 */
function inTransaction<T>(
  call: Call,
  work: (call: WriteCall) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  const span = { name: 'quire.transaction', attributes: {} }
  return inPartSpan(call.trace, span, (trace) => commit({ ...call, trace }, work, options))
}

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
      // Locales can have changed since the call looked them up.
      const inside = writeCallOf({ ...call, locales: new Map() }, tx, recorded)
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

/**
 * Writes an entry, and what else `work` writes, in one transaction. Nobody is notified of it: only
 * for what no read, stream or delivery notices. A power failure may lose it.
 */
export function writeUnnoticed(
  { environment }: Pick<Call, 'environment'>,
  { entry, work }: { readonly entry: JournalEntry | null; readonly work: (tx: Transaction) => Promise<void> },
): Promise<void> {
  return environment.store.transaction(
    async (tx) => {
      await work(tx)
      if (entry) await tx.journal.record(entry)
    },
    { synced: false },
  )
}

/** The call inside a transaction. */
function writeCallOf(call: Call, store: Transaction, recorded: Recorded): WriteCall {
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
  const result = await call.store.nested((inner) => work(writeCallOf(call, inner, own)))
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

/** What a new transaction has recorded. */
function nothingRecorded(): Recorded {
  return { entries: [], head: null, after: new Set(), purged: new Map() }
}

/** Whether the end of the transaction has something to do. */
function isWorthDelivering({ entries, purged }: Recorded): boolean {
  return entries.length > 0 || purged.size > 0
}

/** Adds what a savepoint has recorded to its transaction. */
function addRecorded(outer: Recorded, own: Recorded): void {
  outer.entries.push(...own.entries)
  outer.head = own.head
  for (const run of own.after) outer.after.add(run)
  for (const [repositoryId, tags] of own.purged) addPurged(outer, repositoryId, tags)
}

/** Adds cache tags of a repository. */
function addPurged({ purged }: Recorded, repositoryId: string, tags: Iterable<string>): void {
  const known = purged.get(repositoryId) ?? new Set()
  for (const tag of tags) known.add(tag)
  if (known.size > 0) purged.set(repositoryId, known)
}
