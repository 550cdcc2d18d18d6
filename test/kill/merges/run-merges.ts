import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { killMerge, measureMerge, type Defect, type Killed, type Moment } from './kill-merge.ts'
import { planKills, type PlannedKill } from './plan-kills.ts'
import { seedFolder, type Seed } from './seed-folder.ts'

/** Options of a run. */
export interface MergeRun {
  readonly kills: number
  /** Merges that are killed at a time. One waits for the disk while another computes. */
  readonly lanes: number
  /** Milliseconds after which no new kill starts. */
  readonly deadline: number
  /** A defect of the server at the inner points. Default: none. */
  readonly defect?: Defect | undefined
  /** Called after each kill. */
  readonly reported?: (killed: readonly Killed[]) => void
}

/** A seed, and the duration of its merge. */
interface Measured {
  readonly seed: Seed
  readonly mergeMs: number
}

/**
 * Kills merges of packages of three sizes, at six points and at random times, each on a fresh
 * folder. Returns the result of each kill.
 */
export async function runMerges({
  kills,
  lanes,
  deadline,
  defect,
  reported,
}: MergeRun): Promise<readonly Killed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-merges-'))
  const until = performance.now() + deadline
  const killed: Killed[] = []
  try {
    const plan = planKills(kills)
    const measured = await measureSizes(folder, plan)
    const queue = [...plan.entries()]
    const work = async () => {
      for (let next = queue.shift(); next && performance.now() < until; next = queue.shift()) {
        const [index, planned] = next
        const order = orderOf(planned, measured)
        killed.push(await killMerge({ ...order, folder: join(folder, `kill-${index}`), defect }))
        reported?.(killed)
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
    return killed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureSizes(
  folder: string,
  plan: readonly PlannedKill[],
): Promise<ReadonlyMap<number, Measured>> {
  const measured = new Map<number, Measured>()
  for (const size of new Set(plan.map((planned) => planned.size))) {
    const seed = await seedFolder(join(folder, `seed-${size}`), size)
    const mergeMs = await measureMerge(seed, join(folder, 'measure'))
    measured.set(size, { seed, mergeMs })
  }
  return measured
}

function orderOf(
  { size, when }: PlannedKill,
  measured: ReadonlyMap<number, Measured>,
): { seed: Seed; moment: Moment } {
  const of = measured.get(size)
  if (!of) throw new TypeError(`There is no seed of ${size} changes.`)
  return { seed: of.seed, moment: 'point' in when ? when : { after: when.fraction * of.mergeMs } }
}

/** All findings, with the moment of the kill. */
export function findingsOf(killed: readonly Killed[]): Finding[] {
  return killed.flatMap(({ size, moment, findings }) =>
    findings.map(({ harm, location }) => ({
      harm,
      location: `${size} changes, ${nameOf(moment)}: ${location}`,
    })),
  )
}

function nameOf(moment: Moment): string {
  return 'point' in moment ? `killed at "${moment.point}"` : `killed after ${moment.after.toFixed(1)} ms`
}
