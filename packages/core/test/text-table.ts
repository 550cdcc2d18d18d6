/** The rows of a table that is written as text: the first line names the columns, blanks stand between the cells. */
export function rowsOf<Column extends string>(
  columns: readonly Column[],
  text: string,
): readonly Readonly<Record<Column, string>>[] {
  const [head = '', ...branches] = text.trim().split('\n')
  if (cellsOf(head).join() !== columns.join()) throw new Error(`The table has the columns ${head}`)
  return branches.map((branch) => rowOf(columns, cellsOf(branch)))
}

function rowOf<Column extends string>(
  columns: readonly Column[],
  cells: readonly string[],
): Record<Column, string> {
  if (cells.length !== columns.length) throw new Error(`Not one cell a column: ${cells.join(' ')}`)
  const row: Partial<Record<Column, string>> = {}
  columns.forEach((column, index) => (row[column] = cells[index]))
  return row as Record<Column, string>
}

function cellsOf(branch: string): readonly string[] {
  return branch.trim().split(/\s+/)
}

/** What stands under a name. Errors: throws when nothing does. */
export function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name]
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}
