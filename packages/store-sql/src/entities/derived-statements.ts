import { type Column, getTableColumns, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { insertInto, selected } from '../row-of.ts'

/**
 * Writes of the rows derived from a live head: values, edges and read roles. Each statement writes
 * one row. SQLite guards a statement of several rows with its own savepoint, and releasing it costs
 * more the longer the transaction is (docs/decisions/0012).
 */
export function prepareDerivedWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { fieldValues, edges, headRoles } = dialect.tables
  const orIgnore = sql`ON CONFLICT DO NOTHING`
  return {
    insertValue: driver.prepare<never>(
      sql`${insertInto(fieldValues, getTableColumns(fieldValues))} ${orIgnore}`,
    ),
    insertEdge: driver.prepare<never>(sql`${insertInto(edges, getTableColumns(edges))} ${orIgnore}`),
    insertRole: driver.prepare<never>(sql`${insertInto(headRoles, getTableColumns(headRoles))} ${orIgnore}`),
    ...prepareDerivedDeletes(driver, dialect),
    /** Null where writing a row again costs less than finding out whether it is the same. */
    deleteOthers: dialect.leavesDeadRows ? prepareDeletesOfOthers(driver, dialect) : null,
  }
}

function prepareDerivedDeletes(
  driver: SqlWriteDriver,
  { tables: { fieldValues, edges, headRoles } }: Dialect,
) {
  const head = sql.placeholder('head')
  return {
    deleteValues: driver.prepare<never>(sql`DELETE FROM ${fieldValues} WHERE ${fieldValues.head} = ${head}`),
    deleteEdges: driver.prepare<never>(sql`DELETE FROM ${edges} WHERE ${edges.head} = ${head}`),
    deleteRoles: driver.prepare<never>(sql`DELETE FROM ${headRoles} WHERE ${headRoles.head} = ${head}`),
  }
}

/** Deletes of the rows of a head that are not among `kept`, a JSON array. */
function prepareDeletesOfOthers(
  driver: SqlWriteDriver,
  { tables: { fieldValues, edges, headRoles }, rowsOf, anyOf }: Dialect,
) {
  const [head, kept] = [sql.placeholder('head'), sql.placeholder('kept')]
  const isKept = (columns: readonly Column[]) => {
    const { from, member } = rowsOf(kept)
    const members = columns.map((_, index) => member(index))
    return sql`(${selected(columns)}) IN (SELECT ${sql.join(members, sql`, `)} FROM ${from})`
  }
  const { path, value, updatedDate, createdDate, type, archived, limited } = fieldValues
  const state = Object.entries({ updatedDate, createdDate, type, archived, limited })
  const isSame = sql.join(
    state.map(([name, column]) => sql`${column} = ${sql.placeholder(name)}`),
    sql` AND `,
  )
  return {
    values: driver.prepare<never>(
      sql`DELETE FROM ${fieldValues} WHERE ${fieldValues.head} = ${head} AND NOT (${isSame} AND ${isKept([path, value])})`,
    ),
    edges: driver.prepare<never>(
      sql`DELETE FROM ${edges} WHERE ${edges.head} = ${head} AND NOT ${isKept([edges.path, edges.targetId, edges.onDelete])}`,
    ),
    roles: driver.prepare<never>(
      sql`DELETE FROM ${headRoles} WHERE ${headRoles.head} = ${head} AND NOT ${anyOf(headRoles.role, kept)}`,
    ),
  }
}
