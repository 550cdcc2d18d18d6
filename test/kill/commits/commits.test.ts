import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../services/postgres.ts'
import { noDamage } from '../damage.ts'
import { defects } from '../processes/defects.ts'
import { commitSummary, runCommits } from './run-commits.ts'

const cuts = Number(process.env['QUIRE_COMMIT_CUTS'] ?? 45)
// A cut takes 0.1 s on two idle cores. The rest is reserve for a busy machine.
const cutMs = 2_000

describe.skipIf(testDatabase === null)(`PostgreSQL ${location}, cut off at COMMIT`, () => {
  it(
    `resolves the outcome of every call by its key, after ${cuts} cuts`,
    { timeout: cuts * cutMs + 30_000 },
    async () => {
      const report = await runCommits({ cuts })
      console.log(commitSummary(report))
      expect(report.damage).toEqual(noDamage)
      expect(report.findings).toEqual([])
      expect(report.unresolved).toBe(0)
      expect(report.unknown).toBeGreaterThan(cuts)
      expect(report.effective).toBeGreaterThan(cuts / 4)
    },
  )

  it('detects an engine that forgets its keys and repeats effects', { timeout: 60_000 }, async () => {
    const { damage } = await runCommits({ cuts: 9, between: defects.forgetful })
    expect(damage.dup).not.toEqual([])
  })
})
