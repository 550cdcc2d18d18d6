import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkApi, checkCounts, retryUnknown } from './check-api.ts'
import { prepare, serveReady, writeUntilKilled, type KillMoment } from './cycle.ts'
import { addDamage, noDamage, type Damage } from './damage.ts'
import { checkDatabase, countNotes } from './database.ts'
import { openLedger, type Ledger } from './ledger.ts'

/** Options of a run. */
export interface KillRun {
  readonly kills: number
  /**
   * The arguments of `node` that serve a data folder. Its database is `quire.db` in that folder.
   */
  readonly serve: (folder: string) => readonly string[]
  /** Milliseconds after which no new cycle starts. */
  readonly deadline: number
  /** Called after each kill. */
  readonly reported?: (report: KillReport) => void
}

/** The result of a run. */
export interface KillReport {
  /** Kills that count: those after enough acknowledged writes. */
  readonly kills: number
  readonly acknowledged: number
  readonly damage: Damage
  /** Writes that were sent, but not answered before the kill. */
  readonly unknown: number
  /** The longest time from a start to the first 200 of /readyz, in milliseconds. */
  readonly maxUnready: number
}

const moments: readonly KillMoment[] = ['any', 'sent', 'acknowledged']

/**
 * Kills a server with SIGKILL while eight writers write, restarts it on the same folder, and
 * compares its data with the acknowledged writes; repeatedly. After each kill, the file is compared
 * completely, and new writes also through the API.
 */
export async function runKills({ kills, serve, deadline, reported }: KillRun): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-kill-'))
  const data = join(folder, 'data')
  const until = performance.now() + deadline
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  let report: KillReport = { kills: 0, acknowledged: 0, damage: noDamage, unknown: 0, maxUnready: 0 }
  let served = await serveReady(serve(data))
  try {
    const prepared = await prepare(served, ledger)
    // The first loss ends the run, because later writes may depend on what was lost.
    const goesOn = () => report.kills < kills && report.damage.lost.length === 0 && performance.now() < until
    for (let cycle = 0; goesOn(); cycle++) {
      const moment = moments[cycle % moments.length] ?? 'any'
      const before = ledger.acknowledged.size
      const unknownBefore = ledger.unknown().length
      const killed = await writeUntilKilled(served, { ...prepared, ledger, cycle: String(cycle), moment })
      const unknown = ledger.unknown().length - unknownBefore
      served = await serveReady(serve(data))
      const damage = await check({ served, ledger, file: join(data, 'quire.db'), before })
      report = {
        kills: report.kills + Number(killed.counts),
        acknowledged: report.acknowledged + killed.acknowledged,
        damage: addDamage(report.damage, damage),
        unknown: report.unknown + unknown,
        maxUnready: Math.max(report.maxUnready, served.unready),
      }
      reported?.(report)
    }
    return report
  } finally {
    await served.server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Checking {
  readonly served: Awaited<ReturnType<typeof serveReady>>
  readonly ledger: Ledger
  readonly file: string
  /** Acknowledged writes before this cycle. */
  readonly before: number
}

async function check({ served, ledger, file, before }: Checking): Promise<Damage> {
  const retried = await retryUnknown(served, ledger)
  const fresh = [...ledger.acknowledged.values()].slice(before)
  const reported = addDamage(
    await checkApi(served, ledger, fresh),
    await checkCounts(served, countNotes(file)),
  )
  return [reported, checkDatabase(file, ledger)].reduce(addDamage, retried)
}

/** `50 kills, 41233 acknowledged, lost 0, …` */
export function summary({ kills, acknowledged, damage, unknown, maxUnready }: KillReport): string {
  const { lost, torn, phantom, dup } = damage
  const found = `lost ${lost.length}, torn ${torn.length}, phantom ${phantom.length}, dup ${dup.length}`
  const seconds = (maxUnready / 1000).toFixed(1)
  return `${kills} kills, ${acknowledged} acknowledged, ${found}, unknown ${unknown}, max unready ${seconds} s`
}
