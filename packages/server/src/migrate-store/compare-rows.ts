import { setImmediate } from 'node:timers/promises'
import { type CopiedTable, type Row, versionBlobsTable } from '@quire/store-sql'
import { type RowCopy, writtenTables } from './copy-rows.ts'
import { type RowDigest, createRowDigest } from './row-digest.ts'
import { rowBatches } from './row-batches.ts'

/** What a comparison found. */
export interface Compared {
  readonly rows: number
  /** Rows of which the copy has a text without the NUL that is in it. */
  readonly withoutNul: number
  /** A sentence for each table that is not the same. */
  readonly differences: readonly string[]
}

const comparedTables: readonly CopiedTable[] = [...writtenTables, versionBlobsTable]

/** Reads every row on both sides, and compares how many there are and what they say. */
export async function compareRows(copy: RowCopy): Promise<Compared> {
  const { source, listener } = copy
  const total = comparedTables.reduce((sum, table) => sum + source.count(table), 0)
  listener.begin({ name: 'comparing rows', unit: 'rows', total, before: 0 })
  const differences: string[] = []
  let withoutNul = 0
  for (const table of comparedTables) {
    const wanted = await digestOfSource(copy, table)
    const found = await digestOfTarget(copy, table)
    withoutNul += wanted.withoutNul
    if (found.digest() !== wanted.digest()) differences.push(differenceOf(table, wanted, found))
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
    // Walks through a file never wait: others have their turn here.
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

/** The keys that servers on one database share are put there once it is whole. */
function isOfServers({ name }: CopiedTable, [kind]: Row): boolean {
  return name === 'records' && kind === 'keyRing'
}

function differenceOf({ name }: CopiedTable, wanted: RowDigest, found: RowDigest): string {
  const [rows, copied] = [wanted.rows(), found.rows()]
  if (rows !== copied) return `${name} has ${copied} rows in place of ${rows}`
  return `${name} has the same ${rows} rows, but not all of them say the same`
}
