import { QuireError, type CallOptions, type PermissionKey } from '@quire/contract'
import type { Identity, Who } from '../access/identity.ts'
import { mayDo, type Target } from '../access/permissions.ts'
import type { Environment, Origin } from './environment.ts'
import type { StoreReader, Transaction } from '../ports/index.ts'
import type { OnceKey } from './once-key.ts'
import type { Memo } from './memo.ts'
import type { Shared } from './shared.ts'

/** One call of one operation: who, when, and through which store. Operations take it first and pass it on. */
export interface Call {
  readonly environment: Environment
  readonly identity: Identity
  /** Who that is by the token, with what the token says. */
  readonly who: Who
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly origin: Origin
  /** Unix ms at which the call began: everything that it writes carries this time. */
  readonly now: number
  /** What was committed, or inside a transaction that transaction. */
  readonly store: StoreReader
  readonly memo: Memo
  readonly shared: Shared
  /** What the caller ends the call by, for what waits for others or streams; undefined: nothing. */
  readonly signal: AbortSignal | undefined
  /** The media types that the caller takes; undefined: all. */
  readonly accept: string | undefined
  /** Of what asks others on its way: how a caller who sent an Idempotency-Key is answered again. */
  readonly once?: OnceKey
  /** What the caller says of what it does, for the journal. */
  readonly comment?: string
  /** The same call as of now, for one that waited for bytes: its time, and its caller's rights. Errors: `unauthorized`. */
  renewed(): Promise<Call>
  /** Runs `work` whole or not at all; inside a transaction as a part of it that can fail alone. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** What a call is made from. */
export interface CallOrigin {
  readonly environment: Environment
  readonly identity: Identity
  readonly who: Who
  readonly memo: Memo
  readonly shared: Shared
  readonly options: CallOptions
  readonly origin: Origin
  /** Who calls, as of now. Errors: `unauthorized`. */
  readonly identify: () => Promise<Identity>
}

/** A call on the committed store. */
export function createCall(from: CallOrigin): Call {
  const { environment, identity, who, memo, shared, options, origin } = from
  const requestId = options.requestId ?? environment.ids.next('REQ')
  return {
    environment,
    identity,
    who,
    memo,
    shared,
    accept: options.accept,
    signal: options.signal,
    origin,
    requestId,
    ifMatch: options.ifMatch,
    now: environment.clock.now(),
    store: environment.store,
    renewed: async () =>
      createCall({ ...from, identity: await from.identify(), options: { ...options, requestId } }),
    transaction: (work) => environment.store.transaction(work),
  }
}

/** The same call inside a transaction: what it reads are the transaction's own writes over what was committed. */
export function within(call: Call, tx: Transaction): Call {
  return { ...call, store: tx, transaction: (work) => tx.nested(work) }
}

/** The same call with what its input says of it, where that has a `comment`. */
export function saying(call: Call, { comment }: Readonly<Record<string, unknown>>): Call {
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

/** The error for who holds none of these keys where they are needed; it names the first. */
export function notPermitted(keys: readonly PermissionKey[]): QuireError {
  return new QuireError('forbidden', `Your roles do not permit this: it needs ${keys.join(' or ')}.`, {
    details: { permission: keys[0] },
  })
}

/** Errors: `precondition_failed` when If-Match names another revision. */
export function requireMatch(call: Call, etag: string): void {
  if (call.ifMatch === undefined || call.ifMatch === '*' || call.ifMatch === etag) return
  throw new QuireError('precondition_failed')
}
