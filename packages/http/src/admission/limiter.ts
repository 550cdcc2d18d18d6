import type { QuireError } from '@quire/contract'
import type { Meter } from '@quire/core'

/**
 * Answers `too_many_requests` for a caller who sends too many requests or keeps the thread busy.
 */
export interface Admission {
  account(caller: string): QuireError | undefined
  /** The same for a caller without a valid token. */
  anonymous(caller: string): QuireError | undefined
  /**
   * The same for a program that proves its identity by the signature of the body. Each network has
   * the rate of an account.
   */
  signed(caller: string): QuireError | undefined
  /**
   * The same for files of the service's own pages, which a browser loads many of at once. Each network
   * has the rate of an account for them.
   */
  file(caller: string): QuireError | undefined
  close(): void
}

/** Refuses single callers, and all requests under overload. */
export interface Limiter extends Admission {
  /**
   * Admits a request and counts it until the returned function is called, when its response has
   * ended. Errors: `unavailable`.
   */
  admit(): () => void
  /** `too_many_requests` for a caller who is responsible for an overload. */
  refusal(caller: string): QuireError | undefined
  /** Measures the time of the thread that a caller uses. */
  meterOf(caller: string): Meter
}

const nothing = () => undefined
const meter: Meter = { begin: nothing, end: nothing }

/** Refuses nothing and measures nothing. */
export const noLimits: Limiter = {
  admit: () => nothing,
  account: nothing,
  anonymous: nothing,
  signed: nothing,
  file: nothing,
  refusal: nothing,
  meterOf: () => meter,
  close: nothing,
}
