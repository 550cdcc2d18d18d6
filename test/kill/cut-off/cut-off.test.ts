import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdministrator, location, testDatabase } from '../../services/postgres.ts'
import {
  ask,
  askFor,
  connectionsOf,
  openCutOff,
  untilAnswered,
  type CutOffOptions,
  type CutOff,
} from './run-cut-off.ts'

/** Promised are 5 s and the way there and back (TRUST F18); the rest is for a machine with other work. */
const longestRefusal = 6_000 + 3_000

/** Promised: 10 s after the database is back, all is well. */
const longestReturn = 10_000

/** What is remembered is shown until the process knows that it hears nothing: a second to ask, two for the answer, and the rest for a machine with other work. */
const longestMemory = 3_000 + 3_000

/** Seconds for which a connection may be in a transaction in which nothing happens, and some more. */
const longestStanding = 12

const allConnections = 10

describe.skipIf(testDatabase === null)(`a service whose way to PostgreSQL ${location} is cut`, () => {
  let cutOff: CutOff
  beforeAll(async () => {
    cutOff = await openCutOff()
  }, 60_000)
  afterAll(() => cutOff.close())

  it.each(['closed', 'silent'] as const)(
    'refuses for now while it is %s, and is back at once',
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
      // Those that were cut off in silence the database still has: here nobody is gone who could be asked.
      expect(open).toBeLessThanOrEqual(state === 'silent' ? 2 * allConnections : allConnections)
    },
  )

  it(
    'refuses writes while somebody else holds the lock of writers, and goes on reading',
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

function isRefusal({ status, retryAfter }: CutOffOptions): boolean {
  return status === 503 && retryAfter !== undefined
}

/** Settings are kept in memory. */
function isRemembered({ what, status, at }: CutOffOptions, cut: number): boolean {
  return what === 'settings' && status === 200 && at - cut < longestMemory
}

function slowest(asked: readonly CutOffOptions[]): number {
  return Math.round(Math.max(...asked.map(({ took }) => took)))
}
