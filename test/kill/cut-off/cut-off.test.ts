import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdministrator, location, testDatabase } from '../../services/postgres.ts'
import {
  ask,
  askFor,
  connectionsOf,
  openCutOff,
  untilAnswered,
  type Outcome,
  type CutOff,
} from './run-cut-off.ts'

/** The promise is 5 s plus the round trip (TRUST F18). The rest is reserve for a busy machine. */
const longestRefusal = 6_000 + 3_000

/** The promise: full service within 10 s after the database is back. */
const longestReturn = 10_000

/**
 * Cached data is served until the process notices that it receives no notifications: a second until
 * it polls, two until the poll times out. The rest is reserve for a busy machine.
 */
const longestMemory = 3_000 + 3_000

/** Seconds that a connection may be idle in a transaction, plus some reserve. */
const longestStanding = 12

const allConnections = 10

describe.skipIf(testDatabase === null)(`a service whose connection to PostgreSQL ${location} is cut`, () => {
  let cutOff: CutOff
  beforeAll(async () => {
    cutOff = await openCutOff()
  }, 60_000)
  afterAll(() => cutOff.close())

  it.each(['closed', 'silent'] as const)(
    'answers 503 while the connection is %s, and recovers at once',
    { timeout: 90_000 },
    async (state) => {
      const { way, schema } = cutOff
      expect(await untilAnswered(cutOff, longestReturn)).toBeLessThan(longestReturn)
      way.set(state)
      const cut = performance.now()
      const asked = await askFor(cutOff, 7_000)
      way.set('open')
      const back = await untilAnswered(cutOff, longestReturn)
      const { open, stuck } = await connectionsOf(schema, longestStanding)
      console.log(
        `${state}: ${asked.length} refused, the slowest after ${slowest(asked)} ms; back after ${Math.round(back)} ms; ${open} connections`,
      )
      expect(asked.filter((one) => !isRefusal(one) && !isRemembered(one, cut))).toEqual([])
      expect(slowest(asked)).toBeLessThan(longestRefusal)
      expect(back).toBeLessThan(longestReturn)
      expect(stuck).toEqual([])
      // After a silent cut, the database still holds the old connections: the peer is a local relay
      // that has not gone away.
      expect(open).toBeLessThanOrEqual(state === 'silent' ? 2 * allConnections : allConnections)
    },
  )

  it(
    'refuses writes while another client holds the writer lock, and keeps serving reads',
    { timeout: 60_000 },
    async () => {
      await untilAnswered(cutOff, longestReturn)
      const { schema } = cutOff
      const asked = await asAdministrator(async (client) => {
        await client.query('BEGIN')
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `quire writes ${schema}`,
        ])
        const held = await Promise.all([
          ...Array.from({ length: 8 }, () => ask(cutOff, 'write')),
          ...Array.from({ length: 20 }, () => ask(cutOff, 'read')),
        ])
        await client.query('ROLLBACK')
        return held
      })
      const writes = asked.filter(({ what }) => what === 'write')
      expect(writes.filter((one) => !isRefusal(one))).toEqual([])
      expect(slowest(writes)).toBeLessThan(longestRefusal)
      expect(asked.filter(({ what, status }) => what === 'read' && status !== 200)).toEqual([])
      expect(await untilAnswered(cutOff, longestReturn)).toBeLessThan(longestReturn)
    },
  )
})

function isRefusal({ status, retryAfter }: Outcome): boolean {
  return status === 503 && retryAfter !== undefined
}

/** Settings are cached in memory. */
function isRemembered({ what, status, at }: Outcome, cut: number): boolean {
  return what === 'settings' && status === 200 && at - cut < longestMemory
}

function slowest(asked: readonly Outcome[]): number {
  return Math.round(Math.max(...asked.map(({ took }) => took)))
}
