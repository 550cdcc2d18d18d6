import { expect, it } from 'vitest'
import type { FuzzReport } from './fuzz.ts'
import { operations } from './operations.ts'
import { runFuzz } from './run-fuzz.ts'

// Fixed, so that a run says something about the change under test. `npm run fuzz` takes others.
const seed = 20_261_121
const requests = 45_000
// Some 50 s alone on two cores. Each operation succeeds some times in that many; in half of them six of the rarest may not.
const deadline = 240_000

it(
  `answers ${requests} requests of seed ${seed} as it must, however bad they are`,
  { timeout: deadline + 30_000 },
  async () => {
    const report = await runFuzz({ seed, requests, deadline })
    expect(report.failures).toEqual([])
    expect(report.sent).toBe(requests)
    expect(depthOf(report)).toEqual({ reachesAll: true, isLetIn: true, isServed: true })
  },
)

/** What a service account cannot do, and what needs a provider or a ticket. */
const unreachable = ['user.visit', 'auth.login', 'auth.callback', ...operations.filter(asksUpstream)]

/** Nothing answers to what is passed on. */
function asksUpstream({ endpoint }: (typeof operations)[number]): boolean {
  return endpoint.errors.includes('upstream_failed')
}

/** A fuzz whose every request is refused at the door would pass as well. */
function depthOf({ succeeded, byStatus, shed, answered }: FuzzReport) {
  const successes = [200, 201, 202, 204].reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0)
  return {
    // Which ids the requests meet depends on timing: the rarest success may be missed.
    reachesAll: succeeded.size >= operations.length - unreachable.length - 5,
    isLetIn: successes > answered / 5,
    isServed: shed < answered / 20,
  }
}
