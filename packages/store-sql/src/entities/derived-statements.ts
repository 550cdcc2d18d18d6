import { getTableColumns, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { insertInto } from '../row-of.ts'

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
