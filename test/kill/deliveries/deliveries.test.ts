import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../services/postgres.ts'
import { onPostgres, onSqlite } from './delivery-service.ts'
import { deliverySummary, runDeliveries, serveSending } from './run-deliveries.ts'

const kills = Number(process.env['QUIRE_DELIVERY_KILLS'] ?? 30)
// A cycle takes 1.5 s on two idle cores, the end half a minute. The rest is reserve for a busy
// machine.
const timeout = kills * 8000 + 180_000

it(
  `delivers each event at most once, and records every outcome, through ${kills} kills`,
  { timeout },
  async () => {
    const report = await runDeliveries({ kills, open: onSqlite(serveSending) })
    console.log(deliverySummary(report))
    expect(report.findings).toEqual([])
    expect(report.expected).toBeGreaterThan(kills * 15)
    expect(report.succeeded + report.failed).toBe(report.expected)
    expect(report.unknown).toBeLessThanOrEqual(report.mayBeUnknown)
  },
)

it('detects a server that forgets which deliveries it started', { timeout: 60_000 }, async () => {
  const serve = (folder: string, port: number) => [
    '--conditions=quire-source',
    'test/kill/deliveries/forgetful-server.ts',
    folder,
    String(port),
  ]
  const { findings } = await runDeliveries({ kills: 1, open: onSqlite(serve), patienceMs: 3000 })
  expect(findings.filter((finding) => finding.includes('times'))).not.toEqual([])
})

// Two processes, each killed three times.
const killsInSequence = 6

describe.skipIf(testDatabase === null)(`two servers on PostgreSQL ${location}`, () => {
  it(
    `deliver each event at most once, and record every outcome, when killed alternately ${killsInSequence} times`,
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
