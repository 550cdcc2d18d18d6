import { expect, it } from 'vitest'
import { serveArgs } from '../server/server-process.ts'
import { noDamage } from './damage.ts'
import { serveMutantArgs } from './mutant.ts'
import { runKills, summary } from './run-kills.ts'

const kills = Number(process.env['QUIRE_KILLS'] ?? 50)
// A cycle takes 1.2 s on two idle cores. The rest is reserve for a busy machine.
const cycleMs = 12_000

it(`loses no acknowledged write in ${kills} kills`, { timeout: kills * cycleMs + 30_000 }, async () => {
  const serve = (folder: string) => [...serveArgs(folder), '--log', 'error']
  const report = await runKills({ kills, serve, deadline: kills * cycleMs })
  console.log(summary(report))
  expect(report.damage).toEqual(noDamage)
  expect(report.kills).toBe(kills)
  // The promise is 5 s. The other tests use the cores, too.
  expect(report.maxUnready).toBeLessThan(15_000)
})

it('detects a server that acknowledges before it commits', { timeout: 60_000 }, async () => {
  const { damage } = await runKills({ kills: 2, serve: serveMutantArgs, deadline: 30_000 })
  expect(damage.lost).not.toEqual([])
})
