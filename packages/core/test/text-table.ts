/**
 * The rows of a table in text form: the first line names the columns, and spaces separate the
 * cells.
 */
export function rowsOf<Column extends string>(
  columns: readonly Column[],
  text: string,
): readonly Readonly<Record<Column, string>>[] {
  const [head = '', ...lines] = text.trim().split('\n')
  if (cellsOf(head).join() !== columns.join()) throw new Error(`The table has the columns ${head}`)
  return lines.map((line) => rowOf(columns, cellsOf(line)))
}

function rowOf<Column extends string>(
  columns: readonly Column[],
  cells: readonly string[],
): Record<Column, string> {
  if (cells.length !== columns.length)
    throw new Error(`The row does not have one cell per column: ${cells.join(' ')}`)
  const row: Partial<Record<Column, string>> = {}
  columns.forEach((column, index) => (row[column] = cells[index]))
  return row as Record<Column, string>
}

function cellsOf(line: string): readonly string[] {
  return line.trim().split(/\s+/)
}

/** The entry with a name. Errors: throws when there is none. */
export function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name]
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}
