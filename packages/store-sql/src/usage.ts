import {
  scopeKey,
  summed,
  type Usage,
  type UsageChange,
  type UsageReader,
  type UsageWriter,
} from '@quire/core/ports'
import { getTableColumns, sql } from 'drizzle-orm'
import type { Tables } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import type { Layer } from './layer.ts'
import { names } from './row-of.ts'
import { insertRow } from './row-write.ts'
import type { Session } from './session.ts'

type ScopeRow = readonly [bytes: number, items: number, versions: number, unfolded: number]
type DeltaRow = readonly [scope: string, bytes: number, items: number, versions: number]

export type UsageReads = ReturnType<typeof prepareUsageReads>

export function prepareUsageReads(driver: SqlDriver, { usage, usageDeltas }: Tables) {
  const sums = sql.join(
    ['bytes', 'items', 'versions', 'unfolded'].map(
      (name) => sql`CAST(coalesce(sum(${sql.identifier(name)}), 0) AS bigint)`,
    ),
    sql`, `,
  )
  const rows = (table: Tables['usage'] | Tables['usageDeltas'], unfolded: 0 | 1) =>
    sql`SELECT ${table.bytes}, ${table.items}, ${table.versions}, ${sql.raw(String(unfolded))} AS unfolded FROM ${table} WHERE ${table.scope} = ${sql.placeholder('scope')}`
  return {
    of: driver.prepare<ScopeRow>(
      sql`SELECT ${sums} FROM (${rows(usage, 0)} UNION ALL ${rows(usageDeltas, 1)}) AS both_tables`,
    ),
  }
}

/** Reads usage in a session. */
export function createUsageReader(reads: UsageReads, session: Session): UsageReader {
  return {
    async of(scope) {
      session.requireOpen()
      const [bytes = 0, items = 0, versions = 0, unfolded = 0] =
        (await reads.of.get({ scope: scopeKey(scope) })) ?? []
      return { bytes, items, versions, unfolded }
    },
  }
}

export type UsageWrites = ReturnType<typeof prepareUsageWrites>

export function prepareUsageWrites(driver: SqlWriteDriver, { usage, usageDeltas }: Tables) {
  const { row, ...delta } = getTableColumns(usageDeltas)
  const { scope, ...sums } = getTableColumns(usage)
  const added = Object.values(sums).map(
    (column) => sql`${names([column])} = ${column} + excluded.${names([column])}`,
  )
  return {
    insert: driver.prepare<never>(insertRow(usageDeltas, delta, { key: [] })),
    // Adds up exactly the rows that it deletes, so that two concurrent folds never add the same
    // row.
    take: driver.prepare<DeltaRow>(
      sql`DELETE FROM ${usageDeltas} WHERE ${row} IN (SELECT ${row} FROM ${usageDeltas} ORDER BY ${row} LIMIT ${sql.placeholder('limit')}) RETURNING ${names(Object.values(delta))}`,
    ),
    add: driver.prepare<never>(
      insertRow(
        usage,
        { scope, ...sums },
        {
          key: ['scope'],
          rest: sql`ON CONFLICT (${names([scope])}) DO UPDATE SET ${sql.join(added, sql`, `)}`,
          repeats: false,
        },
      ),
    ),
  }
}

/** Reads and changes usage in a transaction. */
export function createUsageWriter(
  { reads, writes }: { reads: UsageReads; writes: UsageWrites },
  layer: Layer,
): UsageWriter {
  const stored = createUsageReader(reads, layer)
  return {
    async of(scope) {
      const { unfolded, ...before } = await stored.of(scope)
      return { ...summed(before, layer.usage.of(scope)), unfolded }
    },
    changes: () => layer.usage.all(),
    async fold(limit) {
      layer.requireOpen()
      const rows = await writes.take.all({ limit })
      for (const [scope, sum] of sumsOf(rows)) await writes.add.send({ scope, ...sum })
      return rows.length
    },
  }
}

function sumsOf(rows: readonly DeltaRow[]): ReadonlyMap<string, Usage> {
  const sums = new Map<string, Usage>()
  for (const [scope, bytes, items, versions] of rows) {
    const sum = { bytes, items, versions }
    const other = sums.get(scope)
    sums.set(scope, other ? summed(sum, other) : sum)
  }
  return sums
}

/**
 * Writes the usage changes of transactions that are committed together, one row per scope: a
 * thousand saves write as many rows as one.
 */
export async function writeUsage(writes: UsageWrites, changes: readonly UsageChange[]): Promise<void> {
  for (const { scope, bytes, items, versions } of changes)
    if (bytes !== 0 || items !== 0 || versions !== 0)
      await writes.insert.send({ scope: scopeKey(scope), bytes, items, versions })
}
