import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openPostgresStore } from '@quire/store-postgres'
import { databaseUrl, dropSchema, testSchema } from '../../services/postgres.ts'
import type { Damage } from '../damage.ts'
import { openLedger } from '../ledger.ts'
import { checkContent } from '../processes/check-content.ts'
import { repository } from '../writer.ts'
import { act, type Author, type Cut } from './cut-calls.ts'
import { cutMoments, openCutter, type Cutter } from './cutter.ts'

/** Options of a run. */
export interface CommitRun {
  readonly cuts: number
  /** Wraps the store of the second engine. Default: no wrapper. */
  readonly between?: (store: Store) => Store
  /** Called after each cut. */
  readonly reported?: (cuts: number) => void
}

/** The result of a run. */
export interface CommitReport {
  readonly cuts: number
  /** Calls that were acknowledged at once, although their connection was cut. */
  readonly acknowledged: number
  /** Calls with an unknown outcome. */
  readonly unknown: number
  /** Unknown calls that had taken effect. */
  readonly effective: number
  /** Unknown calls that the second engine could not resolve. */
  readonly unresolved: number
  readonly damage: Damage
  /** Violations, one per line. */
  readonly findings: readonly string[]
}

/** Concurrent authors, whose writes share the COMMIT that is cut. */
const together = 4

/**
 * Runs two engines on one schema. The connection of the first is cut at COMMIT. Calls with an
 * unknown outcome are repeated to the second engine with the same key or ETag. At the end
 * everything is compared.
 */
export async function runCommits(wanted: CommitRun): Promise<CommitReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-commits-'))
  const schema = testSchema()
  const cutter = await openCutter()
  const engines: Quire[] = []
  try {
    const secrets = memorySecrets(new Uint8Array(32))
    const first = await openPostgresStore({ url: cutter.url, schema })
    engines.push(createQuire({ store: first, secrets }))
    const second = await openPostgresStore({ url: databaseUrl(), schema })
    engines.push(createQuire({ store: wanted.between?.(second) ?? second, secrets }))
    const run = startRun(engines, join(folder, 'ledger.jsonl'))
    await prepare(run.sound)
    await cutAll(wanted, run, cutter)
    const damage = await checkContent(schema, run)
    return { cuts: wanted.cuts, ...run.seen, damage, findings: run.findings }
  } finally {
    await Promise.all(engines.map((engine) => engine.close()))
    await cutter.close()
    await dropSchema(schema)
    rmSync(folder, { recursive: true, force: true })
  }
}

function startRun(engines: readonly Quire[], ledger: string): Cut {
  const [cut, sound] = engines.map((engine) => engine.as(systemIdentity('driver')))
  if (!cut || !sound) throw new TypeError('Two engines are required.')
  const seen = { acknowledged: 0, unknown: 0, effective: 0, unresolved: 0 }
  return { cut, sound, ledger: openLedger(ledger), effects: new Map(), seen, findings: [] }
}

async function cutAll({ cuts, reported }: CommitRun, run: Cut, cutter: Cutter): Promise<void> {
  const authors: Author[] = Array.from({ length: together }, (_, author) => ({
    name: `0-${author}`,
    item: null,
  }))
  // Not every slot reaches a COMMIT: a connection that the database ended also fails the next call.
  for (let slot = 0; cutter.cuts() < cuts; slot++) {
    cutter.aim(cutMoments[cutter.cuts() % cutMoments.length] ?? 'unsent')
    await Promise.all(authors.map((author) => act(run, author, slot)))
    if (slot > 3 * cuts) throw new Error(`${cutter.cuts()} COMMITs were cut in ${slot} slots`)
    reported?.(cutter.cuts())
  }
}

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: repository })
  await api.types.create({
    name: 'note',
    fields: [
      { name: 'key', kind: 'text' },
      { name: 'body', kind: 'text' },
      { name: 'size', kind: 'integer' },
    ],
  })
}

/** `500 cuts: 40 acknowledged, …` */
export function commitSummary(report: CommitReport): string {
  const { cuts, acknowledged, unknown, effective, unresolved, damage, findings } = report
  const { lost, dup, torn, phantom } = damage
  const found = `lost ${lost.length}, dup ${dup.length}, torn ${torn.length}, phantom ${phantom.length}`
  const settled = `unknown ${unknown}, ${effective} of which had taken effect, ${unresolved} unresolved`
  return `${cuts} COMMITs cut: ${acknowledged} acknowledged at once, ${settled}; ${found}; ${findings.length} findings`
}
