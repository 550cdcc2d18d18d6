import type { AnyContent, Api, CallOptions, Contract } from '@quire/contract'
import type { Principal } from './access/identity.ts'
import type { Answer } from './answer.ts'
import type { Environment, Origin } from './environment.ts'
import type { Store } from '../ports/index.ts'

export type { Environment, Meter, Origin } from './environment.ts'

/** What `createQuire` takes. Only the store is needed; the rest has defaults that run anywhere. */
export interface QuireOptions extends Partial<Environment> {
  readonly store: Store
  /** Whether the jobs of the queue are done here as soon as they are due, or by an engine in another process. Default: `here`. */
  readonly jobs?: 'here' | 'elsewhere'
  /**
   * Ms for which a job is left to a process that says nothing of it; then it is begun again elsewhere. At half, a process that stands still for long loses
   * jobs that it still does. Default: 30 000.
   */
  readonly leaseMs?: number
}

/** A request as a door (HTTP, mock) hands it in. */
export interface Request {
  readonly group: keyof Contract
  readonly operation: string
  readonly principal: Principal
  /** Unparsed: `run` checks it. */
  readonly input: unknown
  readonly options?: CallOptions
  readonly origin?: Origin
}

/** What a door knows of a request before it has read its body. */
export interface RequestHead extends Pick<Request, 'group' | 'operation' | 'principal'> {
  /** The names of its path. */
  readonly names: Readonly<Record<string, string>>
}

/** The engine. */
export interface Quire {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /**
   * The typed API for one identity. Every call is parsed and authorised as over HTTP. `as<ContentTypes>(who)` types the fields of items too;
   * `quire types` writes that interface.
   */
  as<C extends object = AnyContent>(principal: Principal): Api<C>
  /** One call for a door: the answer may hold its JSON text ready to send. Errors: QuireError, TokenError. */
  run(request: Request): Promise<Answer<unknown>>
  /**
   * Refuses who may not call the operation anywhere, before a body is read for it; `run` asks again. Errors: QuireError `unauthorized`,
   * `forbidden`.
   */
  permit(asking: RequestHead): Promise<void>
  /** Who a bearer token stands for. Errors: QuireError `unauthorized`. */
  authenticate(token: string): Promise<Principal>
  /**
   * Begins to look after the queue by itself: does what becomes due or was queued elsewhere, and what a process that is gone left undone. Without
   * it what this engine queues is done as well, at once. For a process that lives on; `close` ends it.
   */
  work(): void
  /** Resolves when nothing is left to do that is due. */
  settled(): Promise<void>
  /** Resolves when the store, the binaries and the queue answer. */
  ready(): Promise<void>
  /** Begins no more jobs, waits for what is under way, then closes the store. */
  close(): Promise<void>
}
