import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dropSchema, testSchema } from '../../services/postgres.ts'
import { checkApi, checkCounts } from '../check-api.ts'
import { prepare } from '../cycle.ts'
import { addDamage, type Damage } from '../damage.ts'
import { openLedger } from '../ledger.ts'
import { backendsOf } from './backends.ts'
import { checkContent, countNotes } from './check-content.ts'
import type { Patience } from './client.ts'
import { addEffect, type Effects } from './effects.ts'
import { openFleet, type Fleet } from './fleet.ts'
import type { Load } from './load.ts'
import { read } from './read.ts'
import { startTally, type Tally } from './tally.ts'
import { prepareChanges, watchChanges } from './watch-changes.ts'
import { write } from './write.ts'

/** Options of a run. */
export interface ProcessRun {
  readonly processes: number
  /** The arguments of `node` that serve a schema. All processes of the run share `folder`. */
  readonly serve: (location: ServeLocation) => readonly string[] | Promise<readonly string[]>
  /**
   * The arguments of `node` that check the data while it is served, and exit with 0 if it is sound.
   */
  readonly doctor?: (location: ServeLocation) => readonly string[]
  /** Runs in parallel with the load, which ends when it resolves. */
  readonly meanwhile: (disturbed: Disturbed) => Promise<void>
  /**
   * The patience of clients. `short`: some disconnect before the answer and repeat the request to
   * another process. Default: `short`.
   */
  readonly patience?: Patience
  readonly reported?: (report: Tally) => void
}

/** The location of a process in a run. */
export interface ServeLocation {
  readonly schema: string
  readonly folder: string
}

/** What can be disturbed. */
export interface Disturbed {
  readonly fleet: Fleet
  readonly schema: string
  readonly tally: Tally
}

/** The result of a run. */
export interface ProcessReport {
  readonly tally: Tally
  /** Acknowledged writes, publications, deletions and merges. */
  readonly acknowledged: number
  readonly merges: number
  readonly damage: Damage
  /** Violations other than damage. */
  readonly findings: readonly string[]
}

const writers = 6
const readers = 2
// Contents that are checked through the API at the end. The database is compared completely.
const lookedAt = 200
// Milliseconds after which the connections of ended processes must be gone.
const longestClose = 10_000

/**
 * Starts several processes on their own schema, runs authors and readers on them, and compares
 * everything at the end.
 */
export async function runProcesses(run: ProcessRun): Promise<ProcessReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-processes-'))
  const schema = testSchema()
  let fleet: Fleet | undefined
  try {
    const args = await run.serve({ schema, folder })
    fleet = await openFleet(run.processes, args)
    return await disturb(run, { fleet, schema, tally: startTally(), folder })
  } finally {
    await fleet?.destroy()
    await dropSchema(schema)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function disturb(run: ProcessRun, location: Disturbed & ServeLocation): Promise<ProcessReport> {
  const { fleet, schema, tally } = location
  const call = { url: fleet.urlOf(0), token: fleet.token }
  const ledger = openLedger(join(location.folder, 'ledger.jsonl'))
  let isOver = false
  const { patience = 'short' } = run
  const load: Load = { fleet, tally, patience, ledger, effects: new Map(), isOver: () => isOver }
  const { shared } = await prepare(call, ledger)
  addEffect(load.effects, { event: 'ITEM_CREATED', id: shared, version: 1 })
  const changes = await prepareChanges(load)
  const loaded = Promise.all([
    ...Array.from({ length: writers }, (_, writer) => write(load, `0-${writer}`)),
    ...Array.from({ length: readers }, () => read(load)),
    watchChanges(load, changes),
  ])
  const reporting = setInterval(() => run.reported?.(tally), 1000)
  const meanwhile = run.meanwhile(location)
  try {
    await Promise.race([meanwhile, loaded])
    await meanwhile
  } finally {
    isOver = true
    clearInterval(reporting)
    await Promise.allSettled([meanwhile, loaded])
  }
  await loaded
  const damage = await compare(load, schema)
  const examined = run.doctor ? examine(run.doctor(location)) : []
  const findings = [...tally.findings, ...unknown(load), ...examined, ...(await close(fleet, schema))]
  const { size: acknowledged } = load.effects
  const merges = [...load.effects.keys()].filter((effect) => effect.startsWith('PACKAGE_MERGED')).length
  return { tally, acknowledged, merges, damage, findings }
}

async function compare(load: Load, schema: string): Promise<Damage> {
  const { fleet, ledger, effects } = load
  const served = { url: fleet.urlOf(0), token: fleet.token }
  const deleted = deletedIn(effects)
  const live = [...ledger.acknowledged.values()].filter(({ id }) => !deleted.has(id))
  const visible = await checkApi(served, ledger, live.slice(-lookedAt))
  const counted = await checkCounts(served, await countNotes(schema))
  return [visible, counted, await checkContent(schema, load)].reduce(addDamage)
}

/** The ids of deleted items. The last version of one may have been reported as effective only. */
function deletedIn(effects: Effects): ReadonlySet<string> {
  const named = [...effects.keys()].map((effect) => effect.split(' '))
  return new Set(named.flatMap(([event, id]) => (event === 'ITEM_DELETED' && id !== undefined ? [id] : [])))
}

function unknown({ ledger }: Load): string[] {
  return ledger.unknown().map(({ key }) => `unresolved: ${key}`)
}

function examine(args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return status === 0 ? [] : [`quire doctor ended with ${status}: ${stdout}${stderr}`]
}

/** Stops every process. Each must exit cleanly and leave no connection behind. */
async function close(fleet: Fleet, schema: string): Promise<string[]> {
  const ends = await fleet.stop()
  const findings = ends.filter((how) => how !== 'exit 0').map((how) => `a process ended with ${how}`)
  const until = performance.now() + longestClose
  let left = await backendsOf(schema).open()
  while (left.length > 0 && performance.now() < until) {
    await wait(100)
    left = await backendsOf(schema).open()
  }
  return [...findings, ...left.map((query) => `a connection was left behind: ${query}`)]
}
