import type { ClientOptions } from '@quire/client'
import { createQuire, type Quire, type QuireOptions } from '@quire/core'
import { fixedClock, seededIds, type FixedClock, type FakeOutbound } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { fakeTargets, testIssuer, type TestIssuer } from '@quire/testkit'
import { type Caller } from '@quire/testkit/suites'

/** An engine, its ports, and the issuer whose tokens it trusts. */
export interface TestEngine {
  readonly quire: Quire
  readonly store: Store
  readonly clock: FixedClock
  readonly issuer: TestIssuer
  readonly outbound: FakeOutbound
}

const issuer = await testIssuer()

/**
 * An engine with a fixed clock and seeded ids, so that every transport gives the same responses.
 * Files are in memory unless given.
 */
export function engineOn(
  store: Store,
  options: Pick<QuireOptions, 'baseUrl' | 'blobs' | 'extraction' | 'media' | 'secrets'> = {},
): TestEngine {
  const clock = fixedClock()
  const baseUrl = 'http://quire.test'
  const ids = seededIds(1, clock)
  const outbound = fakeTargets()
  const quire = createQuire({ store, clock, baseUrl, ids, outbound, trustedIssuers: [issuer], ...options })
  return { store, clock, quire, issuer, outbound }
}

/** For clients that ignore Retry-After: the suite wants to see the refusal. */
export const impatient: Pick<ClientOptions, 'retry'> = { retry: { maxRetryAfterMs: 100 } }

/** How a client authenticates a caller. */
export function authOf({ issuer, clock }: TestEngine, caller: Caller): Pick<ClientOptions, 'auth'> {
  if (caller.kind === 'anonymous') return {}
  if (caller.kind === 'service') return { auth: { clientId: caller.id, clientSecret: caller.secret } }
  return { auth: { token: () => issuer.tokenFor(caller.id, clock.now()) } }
}
