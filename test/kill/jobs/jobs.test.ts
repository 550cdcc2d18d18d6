import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../services/postgres.ts'
import { onPostgres } from './job-service.ts'
import { jobSummary, runJobs } from './run-jobs.ts'

const kills = Number(process.env['QUIRE_JOB_KILLS'] ?? 20)
// A cycle takes 3 s on two idle cores. The rest is reserve for a busy machine, and for the end.
const timeout = kills * 10_000 + 180_000

it(`ends every job, with its effect at most once, through ${kills} kills`, { timeout }, async () => {
  const report = await runJobs({ kills })
  console.log(jobSummary(report))
  expect(report.findings).toEqual([])
  expect(report.ended).toBeGreaterThan(kills * 5)
  expect(report.repeated).toBeGreaterThan(0)
  expect(report.purged).toBe(60)
})

it('detects jobs of a killed service that no process takes over', { timeout: 90_000 }, async () => {
  const killAfter = () => 200
  const { findings } = await runJobs({ kills: 2, killAfter, leaseMs: 3_600_000, patienceMs: 5000 })
  expect(findings.filter((finding) => finding.includes('never left the state'))).not.toEqual([])
})

// Two processes, each killed three times during text extraction, which takes 600 ms.
const killsInSequence = 6
const amidst = () => 100 + Math.random() * 400

describe.skipIf(testDatabase === null)(`two processes on PostgreSQL ${location}`, () => {
  it(
    `end every job, with its effect at most once, when killed alternately ${killsInSequence} times`,
    { timeout: 180_000 },
    async () => {
      const report = await runJobs({ kills: killsInSequence, open: onPostgres, killAfter: amidst })
      console.log(jobSummary(report))
      expect(report.findings).toEqual([])
      expect(report.ended).toBeGreaterThan(killsInSequence * 5)
      expect(report.repeated).toBeGreaterThan(0)
      expect(report.purged).toBe(60)
    },
  )
})
