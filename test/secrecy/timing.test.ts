import { TokenError } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'
import { fixedClock } from '@quire/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { medianOf, rankTest } from './rank-test.ts'

const baseUrl = 'http://quire.test'
const clock = fixedClock()
const quire = createQuire({ store: createMemoryStore(), clock, baseUrl })
const api = quire.as(systemIdentity('test'))

// Ten failures of one id in a minute are 429, which is told apart on purpose: each id is asked five times.
const clients = 200
const asksOfEach = 5
const grant_type = 'client_credentials'
const wrong = 'x'.repeat(43)

const existing: string[] = []
/** As long as those that exist, and as different from each other. They are the same in all rounds, as those are. */
const unknownIds: string[] = []

beforeAll(async () => {
  for (let index = 0; index < clients; index++) {
    existing.push((await api.serviceAccounts.create({ name: `Client ${index}` })).id)
    unknownIds.push(`${existing.at(-1)?.slice(0, -6)}Z${String(index).padStart(5, '0')}`)
  }
})

interface Timed {
  readonly ms: number
  readonly answer: string
}

async function refusal(clientId: string): Promise<Timed> {
  const input = { grant_type, client_id: clientId, client_secret: wrong }
  const start = performance.now()
  const error: unknown = await quire
    .run({ group: 'auth', operation: 'token', who: { kind: 'anonymous' }, input })
    .catch((reason: unknown) => reason)
  const ms = performance.now() - start
  const answer =
    error instanceof TokenError ? `${error.status} ${error.message} ${error.retryAfter}` : String(error)
  return { ms, answer }
}

/** A thousand refusals of each kind, in turns; which comes first changes from pair to pair. */
async function measure(): Promise<{ unknown: Timed[]; known: Timed[] }> {
  const unknown: Timed[] = []
  const known: Timed[] = []
  clock.advance(60_000)
  for (let ask = 0; ask < asksOfEach; ask++) {
    for (const [index, id] of existing.entries()) {
      const isFirst = (index + ask) % 2 === 0
      if (isFirst) known.push(await refusal(id))
      unknown.push(await refusal(unknownIds[index] ?? ''))
      if (!isFirst) known.push(await refusal(id))
    }
  }
  return { unknown, known }
}

// The machine does other things meanwhile: what is no difference shows in one of three rounds.
const rounds = 3

/** Whether two samples of times are one: their medians, and how likely so different a rank is. */
function compared({ unknown, known }: { unknown: Timed[]; known: Timed[] }) {
  const [ones, others] = [unknown.map(({ ms }) => ms), known.map(({ ms }) => ms)]
  return { ratio: medianOf(ones) / medianOf(others), p: rankTest(ones, others) }
}

describe('an unknown client and a wrong secret', () => {
  it('are refused with one answer, in the same time', async () => {
    await measure()
    const told: object[] = []
    for (let round = 1; round <= rounds; round++) {
      const measured = await measure()
      const answers = new Set([...measured.unknown, ...measured.known].map(({ answer }) => answer))
      expect([...answers]).toEqual(['401 invalid_client undefined'])
      expect(measured.unknown.length + measured.known.length).toBe(2 * clients * asksOfEach)
      const result = compared(measured)
      told.push(result)
      console.log(result)
      if (Math.abs(result.ratio - 1) <= 0.15 && result.p > 0.01) return
    }
    expect(told).toEqual([])
  })

  it('are one answer over HTTP, to the last header', async () => {
    const app = createServer({ quire, baseUrl, rates: noRateLimits })
    clock.advance(60_000)
    const answerTo = async (clientId: string) => {
      const form = { grant_type, client_id: clientId, client_secret: wrong }
      const { statusCode, headers, body } = await app.inject({
        method: 'POST',
        url: '/oauth2/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': 'same' },
        payload: new URLSearchParams(form).toString(),
      })
      return { statusCode, headers: { ...headers, date: '' }, body }
    }
    expect(await answerTo(existing[0] ?? '')).toEqual(await answerTo('SVCA_nobody'))
    await api.serviceAccounts.update({ id: existing[1] ?? '', enabled: false })
    expect(await answerTo(existing[1] ?? '')).toEqual(await answerTo('SVCA_nobody'))
    await app.close()
  })
})

describe('the rank test', () => {
  it('tells samples that differ from those that do not', () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1000)
    expect(rankTest(values, values.toReversed())).toBeGreaterThan(0.9)
    expect(
      rankTest(
        values,
        values.map((value) => value * 1.1 + 20),
      ),
    ).toBeLessThan(0.01)
  })
})
