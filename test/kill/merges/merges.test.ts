import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killMerge, type Defect } from './kill-merge.ts'
import type { InnerPoint } from './points.ts'
import { findingsOf, runMerges } from './run-merges.ts'
import { seedFolder, type Seed } from './seed-folder.ts'
import { figuresOf, mergeSummary } from './summary.ts'

const kills = Number(process.env['QUIRE_MERGE_KILLS'] ?? 20)
// A kill takes 3 s on two idle cores, the seeds 15 s. The rest is reserve for a busy machine.
const killMs = 25_000
const timeout = kills * killMs + 60_000

it(`merges all changes or none in ${kills} kills`, { timeout }, async () => {
  const killed = await runMerges({ kills, lanes: 2, deadline: kills * killMs })
  console.log(mergeSummary(killed))
  expect(findingsOf(killed)).toEqual([])
  expect(killed).toHaveLength(kills)
  const { merges, journalled, changed, versions } = figuresOf(killed)
  expect({ merges, journalled, versions }).toEqual({ merges: kills, journalled: kills, versions: changed })
})

describe('detects a server', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-mutants-'))
  let seed: Seed
  beforeAll(async () => {
    seed = await seedFolder(join(folder, 'seed'), 10)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const harmsOf = async (defect: Defect, point: InnerPoint) => {
    const { findings } = await killMerge({ seed, folder: join(folder, point), moment: { point }, defect })
    return findings.map(({ harm }) => harm)
  }

  it('that commits half of the changes early', async () => {
    expect(await harmsOf({ split: 'halfway' }, 'written')).toContain('partial')
  })

  it('that commits the changes and the merge separately', async () => {
    expect(await harmsOf({ split: 'written' }, 'uncommitted')).toContain('partial')
  })

  it('that answers before it commits', async () => {
    expect(await harmsOf('early', 'uncommitted')).toContain('lost')
  })
})
