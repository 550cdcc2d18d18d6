import type { CopiedTable, Row } from '@quire/store-sql'

/**
 * Most rows, and characters in them, that one statement writes. Twice as many are no faster and
 * take twice the memory.
 */
const most = { rows: 2_000, characters: 2_000_000 }

/** Groups rows into batches for one statement each. */
export function* rowBatches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += charactersIn(row)
    if (batch.length < most.rows && characters < most.characters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function charactersIn(row: Row): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** The values of the key of a row. */
export function keyOf({ columns, key }: CopiedTable, row: Row): Row {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)
}
