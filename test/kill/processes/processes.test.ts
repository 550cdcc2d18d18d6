import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../services/postgres.ts'
import { noDamage } from '../damage.ts'
import { serveDefective } from './defects.ts'
import { roll, strike, type Blows } from './disturb.ts'
import { runProcesses } from './run-processes.ts'
import { examinePostgres, servePostgres } from './serve-postgres.ts'
import { blowSummary, processSummary } from './summary.ts'

const seconds = Number(process.env['QUIRE_PROCESS_SECONDS'] ?? 30)
// Time to start, compare and stop on a busy machine, in ms.
const aroundMs = 120_000

describe.skipIf(testDatabase === null)(`several processes on PostgreSQL ${location}`, () => {
  it(
    `lose and repeat nothing while they are killed and disconnected for ${seconds} s`,
    { timeout: seconds * 1000 + aroundMs },
    async () => {
      let blows: Blows = { kills: 0, terminated: 0 }
      const report = await runProcesses({
        processes: 4,
        serve: servePostgres,
        doctor: examinePostgres,
        meanwhile: async (disturbed) => void (blows = await strike(disturbed, seconds * 1000)),
      })
      console.log(`${blowSummary(blows)}; ${processSummary(report)}`)
      expect(report.damage).toEqual(noDamage)
      expect(report.findings).toEqual([])
      expect(report.tally.unresolved).toBe(0)
      expect(report.tally.effective).toBeGreaterThan(0)
      expect(report.merges).toBeGreaterThan(0)
      expect(blows.kills).toBeGreaterThan(0)
    },
  )

  it('answer every accepted request during a rolling restart', { timeout: aroundMs }, async () => {
    let ends: readonly string[] = []
    const report = await runProcesses({
      processes: 4,
      serve: servePostgres,
      doctor: examinePostgres,
      patience: 'endless',
      meanwhile: async (disturbed) => void (ends = await roll(disturbed, 1)),
    })
    console.log(processSummary(report))
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'exit 0'))
    expect(report.damage).toEqual(noDamage)
    expect(report.findings).toEqual([])
    expect(report.tally.effective).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(100)
  })

  it.each([
    ['acknowledge before they commit', 'early', 'lost'],
    ['forget idempotency keys', 'forgetful', 'dup'],
  ] as const)('are detected when they %s', { timeout: aroundMs }, async (_, defect, kind) => {
    const { damage } = await runProcesses({
      processes: 2,
      serve: serveDefective(defect),
      meanwhile: async (disturbed) => void (await strike(disturbed, 6_000)),
    })
    expect(damage[kind]).not.toEqual([])
  })
})
