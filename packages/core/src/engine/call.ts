import {
  QuireError,
  type KeyPermission,
  type Locales,
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
import type { OperationName, OutputNamed } from './operation-name.ts'
import type { Memo, Shared } from './shared.ts'
import type { Trace } from './trace.ts'

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
  /** The program that makes the call, as it names itself, for the journal; undefined: not known. */
  readonly program: string | undefined
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
  /** The locale that the caller names; undefined: the default locale. */
  readonly localeChoice?: LocaleChoice
  /**
   * The locales of the repositories in which the call, or this transaction of it, works; null for
   * one without locales. See `localesOf`.
   */
  readonly locales: Map<string, Locales | null>
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

/** The locale that a caller names. */
export interface LocaleChoice {
  /** A code, or `*` for all; undefined: the default locale. */
  readonly locale?: string | undefined
  /** Whether missing values come from the locale's fallbacks. Default: yes. */
  readonly fallback?: boolean | undefined
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

/** What a transaction has recorded, without anything that was rolled back. */
export interface Recorded {
  readonly entries: JournalEntry[]
  /** The head of the last record that came with one; null: none did. */
  head: Entity | null
  /** Functions to run after the commit, each once. */
  readonly after: Set<() => void>
  /** Cache tags of public answers that change, by repository. */
  readonly purged: Map<string, Set<string>>
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

/** The same call with the `comment`, the `locale` and the `fallback` of its input, if it has them. */
export function inContext<C extends Call>(
  call: C,
  { comment, locale, fallback }: Readonly<Record<string, unknown>>,
): C {
  const localeChoice = {
    ...(typeof locale === 'string' && { locale }),
    ...(typeof fallback === 'boolean' && { fallback }),
  }
  const hasComment = typeof comment === 'string' && comment !== ''
  const hasChoice = Object.keys(localeChoice).length > 0
  if (!hasComment && !hasChoice) return call
  return { ...call, ...(hasComment && { comment }), ...(hasChoice && { localeChoice }) }
}

/**
 * The call with the current time and what the caller may do now, after seconds of waiting for others.
 * Errors: `unauthorized`.
 */
export async function withCurrentRights(call: Call): Promise<Call> {
  const { identity, now } = await call.renewed()
  return { ...call, identity, now }
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
