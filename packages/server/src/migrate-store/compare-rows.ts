import { setImmediate } from 'node:timers/promises'
import { type CopiedTable, type Row, triggeredTables } from '@quire/store-sql'
import { type RowCopy, writtenTables } from './copy-rows.ts'
import { type RowDigest, createRowDigest } from './row-digest.ts'
import { rowBatches } from './row-batches.ts'

/** The result of a comparison. */
export interface Compared {
  readonly rows: number
  /** Rows with a NUL in a text, which the copy stores differently. */
  readonly withoutNul: number
  /** A sentence for each table that differs. */
  readonly differences: readonly string[]
}

const comparedTables: readonly CopiedTable[] = [...writtenTables, ...triggeredTables]

/** Reads every row on both sides, and compares their number and content. */
export async function compareRows(copy: RowCopy): Promise<Compared> {
  const { source, listener } = copy
  const total = comparedTables.reduce((sum, table) => sum + source.count(table), 0)
  listener.begin({ name: 'comparing rows', unit: 'rows', total, before: 0 })
  const differences: string[] = []
  let withoutNul = 0
  for (const table of comparedTables) {
    const original = await digestOfSource(copy, table)
    const copied = await digestOfTarget(copy, table)
    withoutNul += original.withoutNul
    if (copied.digest() !== original.digest()) differences.push(differenceOf(table, original, copied))
  }
  listener.end()
  return { rows: total, withoutNul, differences }
}

async function digestOfSource({ source, target, listener }: RowCopy, table: CopiedTable) {
  const digest = createRowDigest()
  let withoutNul = 0
  for (const rows of rowBatches(source.rows(table))) {
    for (const row of rows) {
      const stored = target.stored(row)
      if (stored !== row) withoutNul += 1
      digest.add(stored)
    }
    listener.moved(rows.length, table.name)
    // Reading a file is synchronous: let other work run here.
    await setImmediate()
  }
  return { ...digest, withoutNul }
}

async function digestOfTarget({ target }: RowCopy, table: CopiedTable): Promise<RowDigest> {
  const digest = createRowDigest()
  for await (const rows of target.rows(table)) {
    for (const row of rows) if (!isOfServers(table, row)) digest.add(row)
  }
  return digest
}

/**
 * Whether a row is the key ring of the servers. It exists only in a completed copy, not in the
 * source.
 */
function isOfServers({ name }: CopiedTable, [kind]: Row): boolean {
  return name === 'records' && kind === 'keyRing'
}

function differenceOf({ name }: CopiedTable, original: RowDigest, copied: RowDigest): string {
  const [rows, copiedRows] = [original.rows(), copied.rows()]
  if (rows !== copiedRows) return `${name} has ${copiedRows} rows instead of ${rows}`
  return `${name} has ${rows} rows on both sides, but some of them differ`
}
