import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { insertInto, names } from '../row-of.ts'

/** Writes of what is derived from a live head: values, edges, read roles and the search row. Lists come as one JSON parameter. */
export function prepareDerivedWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { search } = dialect.tables
  return {
    insertValues: driver.prepare<never>(valuesInsert(dialect)),
    insertEdges: driver.prepare<never>(edgesInsert(dialect)),
    insertRoles: driver.prepare<never>(rolesInsert(dialect)),
    insertSearch: driver.prepare<never>(
      insertInto(search, { head: search.rowid, scope: search.scope, words: search.words }),
    ),
    ...prepareDerivedDeletes(driver, dialect),
  }
}

function valuesInsert({ tables: { fieldValues }, rowsOf }: Dialect) {
  const { line, kind, path, value, updatedDate, id, createdDate, head, type, archived, limited } = fieldValues
  const rows = rowsOf(sql`${sql.placeholder('values')}`)
  const same = ['line', 'kind', 'updatedDate', 'id', 'createdDate', 'head', 'type', 'archived', 'limited']
  const columns = names([
    path,
    value,
    line,
    kind,
    updatedDate,
    id,
    createdDate,
    head,
    type,
    archived,
    limited,
  ])
  const repeated = sql.join(
    same.map((name) => sql`${sql.placeholder(name)}`),
    sql`, `,
  )
  return sql`INSERT INTO ${fieldValues} (${columns}) SELECT ${rows.member(0)}, ${rows.member(1)}, ${repeated} FROM ${rows.from} WHERE TRUE ON CONFLICT DO NOTHING`
}

function edgesInsert({ tables: { edges }, rowsOf }: Dialect) {
  const rows = rowsOf(sql`${sql.placeholder('edges')}`)
  const columns = names([edges.path, edges.targetId, edges.onDelete, edges.line, edges.id, edges.head])
  const repeated = sql`${sql.placeholder('line')}, ${sql.placeholder('id')}, ${sql.placeholder('head')}`
  return sql`INSERT INTO ${edges} (${columns}) SELECT ${rows.member(0)}, ${rows.member(1)}, ${rows.member(2)}, ${repeated} FROM ${rows.from} WHERE TRUE ON CONFLICT DO NOTHING`
}

function rolesInsert({ tables: { headRoles }, rowsOf }: Dialect) {
  const rows = rowsOf(sql`${sql.placeholder('roles')}`)
  const columns = names([headRoles.head, headRoles.role])
  return sql`INSERT INTO ${headRoles} (${columns}) SELECT ${sql.placeholder('head')}, ${rows.member(0)} FROM ${rows.from} WHERE TRUE ON CONFLICT DO NOTHING`
}

function prepareDerivedDeletes(
  driver: SqlWriteDriver,
  { tables: { fieldValues, edges, headRoles, search } }: Dialect,
) {
  const head = sql.placeholder('head')
  return {
    deleteValues: driver.prepare<never>(sql`DELETE FROM ${fieldValues} WHERE ${fieldValues.head} = ${head}`),
    deleteEdges: driver.prepare<never>(sql`DELETE FROM ${edges} WHERE ${edges.head} = ${head}`),
    deleteRoles: driver.prepare<never>(sql`DELETE FROM ${headRoles} WHERE ${headRoles.head} = ${head}`),
    deleteSearch: driver.prepare<never>(sql`DELETE FROM ${search} WHERE ${search.rowid} = ${head}`),
  }
}
