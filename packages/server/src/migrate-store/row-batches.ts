import type { CopiedTable, Row } from '@quire/store-sql'

/** What one statement writes at most: rows, and letters in them. At twice, it is no faster and takes twice the memory. */
const most = { rows: 2_000, letters: 2_000_000 }

/** Rows, as many at a time as are worth a statement. */
export function* rowBatches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let letters = 0
  for (const row of rows) {
    batch.push(row)
    letters += lettersOf(row)
    if (batch.length < most.rows && letters < most.letters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}

function lettersOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** The values of the key of a row. */
export function keyOf({ columns, key }: CopiedTable, row: Row): Row {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)
}
