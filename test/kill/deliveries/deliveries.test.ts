import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../services/postgres.ts'
import { onPostgres, onSqlite } from './delivery-service.ts'
import { deliverySummary, runDeliveries, serveSending } from './run-deliveries.ts'

const kills = Number(process.env['QUIRE_DELIVERY_KILLS'] ?? 30)
// A cycle takes 1.5 s alone on two cores, the end half a minute; the rest is for a machine with other work.
const timeout = kills * 8000 + 180_000

it(`delivers each event at most once, and accounts for each, in ${kills} kills`, { timeout }, async () => {
  const report = await runDeliveries({ kills, open: onSqlite(serveSending) })
  console.log(deliverySummary(report))
  expect(report.findings).toEqual([])
  expect(report.expected).toBeGreaterThan(kills * 15)
  expect(report.succeeded + report.failed).toBe(report.expected)
  expect(report.unknown).toBeLessThanOrEqual(report.mayBeUnknown)
})

it('finds what a server does that forgets what it began', { timeout: 60_000 }, async () => {
  const serve = (folder: string, port: number) => [
    '--conditions=quire-source',
    'test/kill/deliveries/forgetful-server.ts',
    folder,
    String(port),
  ]
  const { findings } = await runDeliveries({ kills: 1, open: onSqlite(serve), patienceMs: 3000 })
  expect(findings.filter((finding) => finding.includes('times'))).not.toEqual([])
})

// Of two processes, each killed three times.
const killsInSequence = 6

describe.skipIf(testDatabase === null)(`two servers on PostgreSQL ${location}`, () => {
  it(
    `deliver each event at most once, and account for each, in ${killsInSequence} kills of one while the other lives`,
    { timeout: 240_000 },
    async () => {
      const report = await runDeliveries({ kills: killsInSequence, open: onPostgres })
      console.log(deliverySummary(report))
      expect(report.findings).toEqual([])
      expect(report.expected).toBeGreaterThan(killsInSequence * 15)
      expect(report.succeeded + report.failed).toBe(report.expected)
      expect(report.unknown).toBeLessThanOrEqual(report.mayBeUnknown)
    },
  )
})
