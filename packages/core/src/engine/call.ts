import {
  QuireError,
  type CallOptions,
  type Contract,
  type OutputOf,
  type Permission,
  type PermissionKey,
} from '@quire/contract'
import type { Answer } from './answer.ts'
import type { Identity, Principal } from './access/identity.ts'
import { mayDo, type Target } from './access/permissions.ts'
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
import type { Memo, Shared } from './shared.ts'
import { requireWithinQuotas } from './quotas.ts'

/** One call of one operation: who, when, and through which store. Operations take it first and pass it on. */
export interface Call {
  readonly environment: Environment
  readonly identity: Identity
  /** Who that is by the token, with what the token says. */
  readonly principal: Principal
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly origin: Origin
  /** Unix ms at which the call began: everything that it writes carries this time. */
  readonly now: number
  /** What was committed, or inside a transaction that transaction. */
  readonly store: StoreReader
  readonly memo: Memo
  readonly shared: Shared
  readonly hooks: CallHooks
  /** What the caller ends the call by, for what waits for others or streams; undefined: nothing. */
  readonly signal: AbortSignal | undefined
  /** The media types that the caller takes; undefined: all. */
  readonly accept: string | undefined
  /** Of what asks others on its way: how a caller who sent an Idempotency-Key is answered again. */
  readonly once?: IdempotencyKey
  /** What the operation declares that it needs; undefined: of what the process does for itself. */
  readonly permission: Permission | undefined
  /** What the caller says of what it does, for the journal. */
  readonly comment?: string
  /** The same call as of now, for one that waited for bytes: its time, and its caller's rights. Errors: `unauthorized`. */
  renewed(): Promise<Call>
  /**
   * Runs `work` in a transaction: all that it writes is committed, or nothing. Inside a transaction it is a savepoint, which can fail alone.
   * A copy of a call with other members writes as that copy.
   */
  readonly write: <T>(work: (call: WriteCall) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /**
   * Runs another operation for the same caller: what it needs is checked as if it were called alone. Inside a transaction it joins that. A dry run and
   * an Idempotency-Key are those of this call. `input` is as callers send it. Errors: those of the operation; `forbidden`, `invalid`.
   */
  readonly invoke: <N extends OperationName>(name: N, input: object) => Promise<Answer<OutputNamed<N>>>
}

/** `items.publish`: every operation of the contract. */
export type OperationName = {
  [G in keyof Contract]: `${G}.${keyof Contract[G] & string}`
}[keyof Contract]

/** What an operation answers, by its name. */
export type OutputNamed<N extends OperationName> = N extends `${infer G extends keyof Contract}.${infer O}`
  ? O extends keyof Contract[G]
    ? OutputOf<Contract[G][O]>
    : never
  : never

/** A call inside a transaction: it reads its own writes over what was committed. */
export interface WriteCall extends Call {
  readonly store: Transaction
  /**
   * Writes to the journal; the deliveries that follow from it are committed with it. `written`: the head that the entry is about, as the transaction
   * just wrote it, so that nobody reads it again.
   */
  readonly record: (entry: JournalEntry, written?: Entity) => Promise<void>
  /** Queues a job. A worker looks for it once the transaction is committed. */
  readonly enqueue: (job: NewJob) => Promise<Job>
  /** Runs once the transaction is committed; the same function once. For what may be lost: a crash in between loses it. It must not fail. */
  readonly afterCommit: (run: () => void) => void
}

/** What the top of the core, which knows all areas, hands to every call. */
export interface CallHooks {
  /** Runs an operation by its name, after the checks that all of them share. */
  readonly invoke: (call: Call, name: OperationName, input: object) => Promise<Answer<unknown>>
  /** Inside a transaction, at its end: queues the deliveries of what it recorded. */
  readonly deliver: (call: WriteCall, recorded: Recorded) => Promise<void>
  /** After a transaction: says that something was committed, here and to other processes. */
  readonly announce: () => void
  /** After a transaction that queued a job: has a worker of this process look for it. */
  readonly wake: () => void
}

/** Hooks of which those that are not given do nothing; without `invoke` no operation runs another. */
export function callHooks(given: Partial<CallHooks> = {}): CallHooks {
  const invoke = () => Promise.reject(new Error('These calls run no operations.'))
  return {
    invoke,
    deliver: async () => undefined,
    announce: () => undefined,
    wake: () => undefined,
    ...given,
  }
}

/** What all calls of one engine have in common. */
export interface Running {
  readonly environment: Environment
  readonly memo: Memo
  readonly shared: Shared
  readonly hooks: CallHooks
}

/** What a call is made from. */
export interface CallOrigin extends Running {
  readonly identity: Identity
  readonly principal: Principal
  readonly options: CallOptions
  readonly origin: Origin
  readonly permission?: Permission
  /** Who calls, as of now. Errors: `unauthorized`. */
  readonly identify: () => Promise<Identity>
}

/** A call on the committed store. */
export function createCall(from: CallOrigin): Call {
  const { environment, identity, principal, memo, shared, hooks, options, origin, permission } = from
  const requestId = options.requestId ?? environment.ids.next('REQ')
  return {
    environment,
    identity,
    principal,
    memo,
    shared,
    hooks,
    accept: options.accept,
    signal: options.signal,
    origin,
    permission,
    requestId,
    ifMatch: options.ifMatch,
    now: environment.clock.now(),
    store: environment.store,
    renewed: async () =>
      createCall({ ...from, identity: await from.identify(), options: { ...options, requestId } }),
    write(work, options) {
      return commit(this, work, options)
    },
    // The map of operations says by name what each answers.
    invoke(name, input) {
      return this.hooks.invoke(this, name, input) as Promise<Answer<never>>
    },
  }
}

/** What a transaction did so far, as far as it was not undone. */
export interface Recorded {
  readonly entries: JournalEntry[]
  /** The head that was recorded last, as it was written; null: none was given. */
  head: Entity | null
  /** What runs after the commit, each once. */
  readonly after: Set<() => void>
}

const nothingRecorded = (): Recorded => ({ entries: [], head: null, after: new Set() })

/** Runs a transaction: what was recorded in it brings its deliveries, and it ends within the quotas or not at all. */
async function commit<T>(
  call: Call,
  work: (call: WriteCall) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  const { environment, hooks, origin } = call
  const { meter } = origin
  let recorded = nothingRecorded()
  const result = await environment.store.transaction(async (tx) => {
    // A transaction waits for its turn: its time is the caller's, whoever's turn it was when it began.
    meter?.begin()
    try {
      recorded = nothingRecorded()
      const inside = inTransaction(call, tx, recorded)
      const done = await work(inside)
      if (recorded.entries.length > 0) await hooks.deliver(inside, recorded)
      await requireWithinQuotas(tx)
      return done
    } finally {
      meter?.end()
    }
  }, options)
  hooks.announce()
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
    enqueue(job) {
      recorded.after.add(call.hooks.wake)
      return store.jobs.enqueue(job)
    },
    afterCommit: (run) => void recorded.after.add(run),
    write(work) {
      return savepoint(this, work, recorded)
    },
  }
}

/** A part of a transaction that can fail alone: then nothing of what it recorded remains. */
async function savepoint<T>(
  call: WriteCall,
  work: (call: WriteCall) => Promise<T>,
  outer: Recorded,
): Promise<T> {
  const own = { ...nothingRecorded(), head: outer.head }
  const result = await call.store.nested((inner) => work(inTransaction(call, inner, own)))
  outer.entries.push(...own.entries)
  outer.head = own.head
  for (const run of own.after) outer.after.add(run)
  return result
}

/** Another caller in the same transaction. */
export function joining(call: Call, { store, record, enqueue, afterCommit, write }: WriteCall): WriteCall {
  return { ...call, store, record, enqueue, afterCommit, write }
}

/** The same call with what its input says of it, where that has a `comment`. */
export function withComment(call: Call, { comment }: Readonly<Record<string, unknown>>): Call {
  return typeof comment === 'string' && comment !== '' ? { ...call, comment } : call
}

/** Many reads of one kind of call in the committed store share a memo; inside a transaction there is none. */
export function remember<T>(call: Call, key: string, compute: () => Promise<T>): Promise<T> {
  return call.store === call.environment.store ? call.memo.get(call.store.records, key, compute) : compute()
}

/** Errors: `forbidden` with the missing key. */
export function requirePermission(call: Call, key: PermissionKey, target: Target = {}): void {
  if (!mayDo(call.identity.permissions, key, target)) throw notPermitted([key])
}

/** The error for whoever holds none of these keys where they are needed; it names the first. */
export function notPermitted(keys: readonly PermissionKey[]): QuireError {
  return new QuireError('forbidden', `Your roles do not permit this: it needs ${keys.join(' or ')}.`, {
    details: { permission: keys[0] },
  })
}

/** Errors: `precondition_failed` when If-Match names another revision. */
export function requireMatch(call: Call, etag: string): void {
  if (call.ifMatch === undefined || call.ifMatch === '*' || namedTags(call.ifMatch).includes(etag)) return
  throw new QuireError('precondition_failed')
}

/** The strong tags that If-Match names: one as it is, or a list in quotes. A weak one matches nothing (RFC 9110 §13.1.1). */
export function namedTags(ifMatch: string): readonly string[] {
  if (!ifMatch.includes('"')) return [ifMatch]
  return [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]))
}
