import { readFileSync, writeFileSync } from 'node:fs'
import { principalNames } from './principals.ts'

/** The statuses for all principals, by the name of the row. */
export type Statuses = ReadonlyMap<string, readonly number[]>

const file = new URL('matrix.json', import.meta.url)

interface Table {
  readonly columns: readonly string[]
  /** The statuses in the order of the columns, then the name of the row. */
  readonly rows: readonly string[]
}

/** The expected statuses. Errors: the columns have changed. */
export function readTable(): Statuses {
  const { columns, rows }: Table = JSON.parse(readFileSync(file, 'utf8'))
  if (columns.join() !== principalNames.join())
    throw new Error('matrix.json has other columns. Update it with UPDATE_MATRIX=1.')
  return new Map(
    rows.map((row) => {
      const words = row.split(' ')
      return [words.slice(columns.length).join(' '), words.slice(0, columns.length).map(Number)]
    }),
  )
}

/** Writes the observed statuses as the expected ones. */
export function writeTable(statuses: Statuses): void {
  const rows = [...statuses].map(([name, row]) => `${row.join(' ')} ${name}`)
  writeFileSync(file, `${JSON.stringify({ columns: principalNames, rows }, null, 2)}\n`)
}

/** The differences, one per line; empty if there are none. */
export function differences(expected: Statuses, seen: Statuses): readonly string[] {
  const missing = [...seen.keys()].filter((name) => !expected.has(name)).map((name) => `no row for: ${name}`)
  const left = [...expected.keys()]
    .filter((name) => !seen.has(name))
    .map((name) => `no route for the row: ${name}`)
  const differing = [...seen].flatMap(([name, row]) =>
    row.flatMap((status, index) => {
      const wanted = expected.get(name)?.[index]
      if (wanted === undefined || wanted === status) return []
      return [`${name}: ${principalNames[index]} gets ${status} instead of ${wanted}`]
    }),
  )
  return [...missing, ...left, ...differing]
}
