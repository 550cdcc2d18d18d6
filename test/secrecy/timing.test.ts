import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { medianOf, rankTest } from './rank-test.ts'

const baseUrl = 'http://quire.test'
const clock = fixedClock()
const quire = createQuire({ store: createMemoryStore(), clock, baseUrl })
const app = createServer({ quire, baseUrl, rates: noRateLimits })
const api = quire.as(systemIdentity('test'))

// Ten failures with one id within a minute are answered with 429, which is distinguishable on
// purpose. So each id is used five times.
const clients = 200
const asksOfEach = 5
const grant_type = 'client_credentials'
const wrong = 'x'.repeat(43)

const existing: string[] = []
/**
 * As long as existing ids and as different from each other. The same in all rounds, like the
 * existing ones.
 */
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

let asked = 0

/**
 * Times a refusal as an attacker would see it, without network noise. Each request comes from its
 * own address.
 */
async function refusal(clientId: string): Promise<Timed> {
  asked += 1
  const request = {
    method: 'POST',
    url: '/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': 'same' },
    payload: new URLSearchParams({ grant_type, client_id: clientId, client_secret: wrong }).toString(),
    remoteAddress: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
  } as const
  const start = performance.now()
  const { statusCode, headers, body } = await app.inject(request)
  const ms = performance.now() - start
  return { ms, answer: JSON.stringify({ statusCode, headers: { ...headers, date: '' }, body }) }
}

/** A thousand refusals of each kind, alternating. The order changes from pair to pair. */
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

// The machine has other work. Equal timing shows in at least one of three rounds.
const rounds = 3

/**
 * Compares two samples of times by their medians and by the probability of their rank difference.
 */
function compared({ unknown, known }: { unknown: Timed[]; known: Timed[] }) {
  const [ones, others] = [unknown.map(({ ms }) => ms), known.map(({ ms }) => ms)]
  return { ratio: medianOf(ones) / medianOf(others), p: rankTest(ones, others) }
}

describe('an unknown client and a wrong secret', () => {
  it('are refused with identical answers, including headers, in the same time', async () => {
    await measure()
    const reported: object[] = []
    for (let round = 1; round <= rounds; round++) {
      const measured = await measure()
      const answers = [...measured.unknown, ...measured.known].map(({ answer }) => answer)
      expect(answers).toHaveLength(2 * clients * asksOfEach)
      expect(new Set(answers).size).toBe(1)
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({
        statusCode: 401,
        body: JSON.stringify({ error: 'invalid_client' }),
      })
      const result = compared(measured)
      reported.push(result)
      if (Math.abs(result.ratio - 1) <= 0.15 && result.p > 0.01) return
    }
    expect(reported).toEqual([])
  })

  it('are answered alike for disabled and expired accounts, too', async () => {
    clock.advance(60_000)
    const { answer } = await refusal('SVCA_nobody')
    const [disabled, ended] = [
      await api.serviceAccounts.create({ name: 'Disabled' }),
      await api.serviceAccounts.create({ name: 'Ended', expiresAt: clock.now() }),
    ]
    await api.serviceAccounts.update({ id: disabled.id, enabled: false })
    for (const { id, secret } of [disabled, ended])
      for (const client_secret of [secret, wrong]) {
        const form = new URLSearchParams({ grant_type, client_id: id, client_secret }).toString()
        expect((await refusal(id)).answer).toBe(answer)
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const { statusCode, body } = await app.inject({
          method: 'POST',
          url: '/oauth2/token',
          headers,
          payload: form,
        })
        expect({ statusCode, body }).toMatchObject({ statusCode: 401, body: '{"error":"invalid_client"}' })
      }
  })
})

describe('the rank test', () => {
  it('distinguishes samples that differ from samples that do not', () => {
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
