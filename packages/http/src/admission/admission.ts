import type { Peers } from '@quire/core/ports'
import type { Admission } from './limiter.ts'
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
    file: (caller) => authenticated.admit(`files:${caller}`) ?? load.refusal(caller),
    signed: (caller) => authenticated.admit(`network:${caller}`) ?? load.refusal(caller),
    close() {
      authenticated.close()
      byNetwork.close()
    },
  }
}
