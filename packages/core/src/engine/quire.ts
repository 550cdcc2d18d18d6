import type { AnyContent, Api, CallOptions, Contract } from '@quire/contract'
import type { Principal } from './access/identity.ts'
import type { Answer } from './answer.ts'
import type { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Environment, Origin } from './environment.ts'
import type { Store } from '../ports/index.ts'

export type { Environment, Meter, Origin } from './environment.ts'

/**
 * Options of `createQuire`. Only the store is required; the rest has defaults that run anywhere.
 */
export interface QuireOptions extends Partial<Environment> {
  readonly store: Store
  /**
   * Whether this engine runs queued jobs as soon as they are due, or an engine in another process
   * does. Default: `here`.
   */
  readonly jobs?: 'here' | 'elsewhere'
  /**
   * Lease timeout of jobs in milliseconds: if the process that runs a job sends no heartbeat for
   * this long, another one starts the job again. At half this value, a process that is blocked for
   * long loses jobs that it is still running. Default: 30 000.
   */
  readonly leaseMs?: number
}

/** A request as a transport (HTTP, mock) passes it in. */
export interface Request {
  readonly group: keyof Contract
  readonly operation: string
  readonly principal: Principal
  /** Not validated: `run` does that. */
  readonly input: unknown
  readonly options?: CallOptions
  readonly origin?: Origin
  /** Collects the cache tags of the answer, if the transport sends them. */
  readonly cacheTags?: AnswerTags | undefined
}

/** What a transport knows about a request before it has read the body. */
export interface RequestHead extends Pick<Request, 'group' | 'operation' | 'principal'> {
  /** The parameters of its path. */
  readonly names: Readonly<Record<string, string>>
  /** For the entry about a call that is refused: its id and its program, and where it came from. */
  readonly options?: Pick<CallOptions, 'requestId' | 'program'>
  readonly origin?: Origin
}

/** The engine. */
export interface Quire {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /**
   * The typed API for one principal. Every call is validated and authorized as over HTTP.
   * `as<ContentTypes>(principal)` also types the fields of items; `quire types` writes that
   * interface. `origin` says where the calls come from: a transport that runs several operations for
   * one request passes it.
   */
  as<C extends object = AnyContent>(principal: Principal, origin?: Origin): Api<C>
  /**
   * Runs one call for a transport. The answer may contain JSON text that is ready to send. Errors:
   * QuireError, TokenError.
   */
  run(request: Request): Promise<Answer<unknown>>
  /**
   * Refuses a caller who may not call the operation anywhere, before the body is read; `run` checks
   * again. Errors: QuireError `unauthorized`, `forbidden`, `budget_exceeded`.
   */
  permit(head: RequestHead): Promise<void>
  /** The principal of a bearer token. Errors: QuireError `unauthorized`. */
  authenticate(token: string): Promise<Principal>
  /**
   * Starts a worker that also runs jobs which become due later, were queued by other processes, or
   * were left unfinished by a process that died. Without it, only jobs that this engine queues are
   * run, immediately. For long-lived processes; `close` stops it.
   */
  work(): void
  /** Resolves when no due work is left. */
  settled(): Promise<void>
  /**
   * Resolves when the store, the blobs and the queue respond, also if the store has no room left.
   */
  ready(): Promise<void>
  /** Starts no more jobs, waits for running work, then closes the store. */
  close(): Promise<void>
}
