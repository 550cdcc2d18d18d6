import { expect, it } from 'vitest'
import { jobSummary, runJobs } from './run-jobs.ts'

const kills = Number(process.env['QUIRE_JOB_KILLS'] ?? 20)
// A cycle takes 3 s alone on two cores; the rest is for a machine with other work, and for the end.
const timeout = kills * 10_000 + 180_000

it(`ends every job, with its effect at most once, in ${kills} kills`, { timeout }, async () => {
  const report = await runJobs({ kills })
  console.log(jobSummary(report))
  expect(report.findings).toEqual([])
  expect(report.ended).toBeGreaterThan(kills * 5)
  expect(report.repeated).toBeGreaterThan(0)
  expect(report.purged).toBe(60)
})

it('finds jobs that nobody takes from a service that is gone', { timeout: 90_000 }, async () => {
  const killAfter = () => 200
  const { findings } = await runJobs({ kills: 2, killAfter, leaseMs: 3_600_000, patienceMs: 5000 })
  expect(findings.filter((finding) => finding.includes('for ever'))).not.toEqual([])
})
