import { type Column, type SQL, type Table, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { type NamedColumns, selected } from '../row-of.ts'
import { type RowSource, type RowWrite, deleteRows, insertRow } from '../row-write.ts'

/**
 * Writes of the rows derived from a live head: values, edges and read roles. Each statement writes
 * one row. SQLite guards a statement of several rows with its own savepoint, and releasing it costs
 * more the longer the transaction is (docs/decisions/0012).
 */
export function prepareDerivedWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { fieldValues, edges, headRoles } = dialect.tables
  const options = { key: ['head'], rest: sql`ON CONFLICT DO NOTHING` }
  return {
    insertValue: driver.prepare<never>(insertRow(fieldValues, getTableColumns(fieldValues), options)),
    insertEdge: driver.prepare<never>(insertRow(edges, getTableColumns(edges), options)),
    insertRole: driver.prepare<never>(insertRow(headRoles, getTableColumns(headRoles), options)),
    ...prepareDerivedDeletes(driver, dialect),
    /** Null where writing a row again costs less than finding out whether it is the same. */
    deleteOthers: dialect.leavesDeadRows ? prepareDeletesOfOthers(driver, dialect) : null,
  }
}

function prepareDerivedDeletes(
  driver: SqlWriteDriver,
  { tables: { fieldValues, edges, headRoles } }: Dialect,
) {
  return {
    deleteValues: driver.prepare<never>(deleteRows(fieldValues, { head: fieldValues.head })),
    deleteEdges: driver.prepare<never>(deleteRows(edges, { head: edges.head })),
    deleteRoles: driver.prepare<never>(deleteRows(headRoles, { head: headRoles.head })),
  }
}

/** Deletes of the rows of a head that are not among `remaining`, a JSON array. */
function prepareDeletesOfOthers(
  driver: SqlWriteDriver,
  { tables: { fieldValues, edges, headRoles }, rowsOf, anyOf }: Dialect,
) {
  const isRemaining = (columns: readonly Column[], remaining: SQL) => {
    const { from, member } = rowsOf(remaining)
    const members = columns.map((_, index) => member(index))
    return sql`(${selected(columns)}) IN (SELECT ${sql.join(members, sql`, `)} FROM ${from})`
  }
  const { head, path, value, updatedDate, createdDate, type, archived, limited } = fieldValues
  const state = { updatedDate, createdDate, type, archived, limited }
  const isSame = (given: RowSource['value']) =>
    sql.join(
      Object.entries(state).map(([name, column]) => sql`${column} = ${given(name)}`),
      sql` AND `,
    )
  return {
    values: driver.prepare<never>(
      deleteUnless(
        fieldValues,
        { head, ...state, remaining: path },
        (given) => sql`${isSame(given)} AND ${isRemaining([path, value], given('remaining'))}`,
      ),
    ),
    edges: driver.prepare<never>(
      deleteUnless(edges, { head: edges.head, remaining: edges.path }, (given) =>
        isRemaining([edges.path, edges.targetId, edges.onDelete], given('remaining')),
      ),
    ),
    roles: driver.prepare<never>(
      deleteUnless(headRoles, { head: headRoles.head, remaining: headRoles.role }, (given) =>
        anyOf(headRoles.role, given('remaining')),
      ),
    ),
  }
}

/** Deletes the rows of a head for which the condition does not hold. */
function deleteUnless(
  table: Table,
  columns: NamedColumns & { readonly head: Column },
  condition: (given: RowSource['value']) => SQL,
): RowWrite {
  return {
    table: getTableName(table),
    columns,
    key: ['head'],
    repeats: true,
    looksUp: true,
    build({ value, from }) {
      const source = from === null ? sql`` : sql` USING ${from}`
      return sql`DELETE FROM ${table}${source} WHERE ${columns.head} = ${value('head')} AND NOT (${condition(value)})`
    },
  }
}
