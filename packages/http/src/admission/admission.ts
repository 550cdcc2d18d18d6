import type { QuireError } from '@quire/contract'
import type { Principal } from '@quire/core'
import type { Peers } from '@quire/core/ports'
import type { Load } from './load.ts'
import { createRate, defaultRateLimits, type RateLimits } from './rate.ts'

/** Options for how many requests a caller may send. */
export interface AdmissionOptions {
  /**
   * Requests per second of one account, or of the callbacks from one address; and of one address
   * without a token. Default: 100 with bursts of 200, 20 with bursts of 40.
   */
  readonly rates?: RateLimits
  /**
   * The other servers of the same installation, with which rates are counted together. Default:
   * none.
   */
  readonly peers?: Peers
}

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
  close(): void
}

/** Counts the requests of all callers. */
export function createAdmission(
  { rates = defaultRateLimits, peers }: AdmissionOptions,
  load: Load,
): Admission {
  const authenticated = createRate(rates.authenticated, peers && { peers, topic: 'rate' })
  const byNetwork = createRate(rates.anonymous, peers && { peers, topic: 'anonymous-rate' })
  return {
    account: (caller) => authenticated.admit(caller) ?? load.refusal(caller),
    anonymous: (caller) => byNetwork.admit(caller) ?? load.refusal(caller),
    signed: (caller) => authenticated.admit(`network:${caller}`) ?? load.refusal(caller),
    close() {
      authenticated.close()
      byNetwork.close()
    },
  }
}

/** The name under which the requests of an account count; null for a caller without one. */
export function accountOf(principal: Principal): string | null {
  return principal.kind === 'user' || principal.kind === 'service'
    ? `${principal.kind}:${principal.id}`
    : null
}
