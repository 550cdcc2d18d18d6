import { getTableColumns, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { type RowOf, assignments, excluded, insertInto, names, selected } from '../row-of.ts'
import { prepareDerivedWrites } from './derived-statements.ts'
import { notOverridden } from './overridden.ts'

/** Everything that writes of entities run on the writing connection. */
export type EntityWrites = ReturnType<typeof prepareEntityWrites>

/** The head as a write finds it: enough to judge the write and to undo what was derived. */
function currentColumns({ head, revision, version, deletedDate, limited }: Tables['heads']) {
  return [head, revision, version, deletedDate, limited] as const
}

/** What a write knows of the head before it. */
export type CurrentRow = RowOf<ReturnType<typeof currentColumns>>

/** Prepares the writes of a connection. */
export function prepareEntityWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { heads } = dialect.tables
  const at = sql`${heads.line} = ${sql.placeholder('line')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  const live = sql`${heads.slug} = ${sql.placeholder('slug')} AND ${heads.deletedDate} IS NULL`
  const taken = sql`SELECT ${heads.id} FROM ${heads} WHERE ${at} AND ${live} AND ${heads.id} <> ${sql.placeholder('id')}`
  return {
    current: driver.prepare<CurrentRow>(
      sql`SELECT ${selected(currentColumns(heads))} FROM ${heads} WHERE ${at} AND ${heads.id} = ${sql.placeholder('id')}`,
    ),
    slugTaken: driver.prepare<readonly [string]>(sql`${taken} LIMIT 1`),
    slugTakenShown: driver.prepare<readonly [string]>(
      sql`${taken} AND ${notOverridden(dialect.tables)} LIMIT 1`,
    ),
    ...prepareHeadWrites(driver, dialect.tables),
    ...prepareHistoryWrites(driver, dialect.tables),
    ...prepareDerivedWrites(driver, dialect),
  }
}

function prepareHeadWrites(driver: SqlWriteDriver, { heads, presentations, bodies }: Tables) {
  const { head, ...columns } = getTableColumns(heads)
  const { presentation } = presentations
  const { body } = bodies
  const orReplace = sql`ON CONFLICT (${names([head])}) DO UPDATE SET`
  const unmoved = sql`${head} = ${sql.placeholder('head')} AND ${heads.revision} = ${sql.placeholder('expected')}`
  return {
    insertHead: driver.prepare<readonly [number]>(
      sql`${insertInto(heads, columns)} ON CONFLICT DO NOTHING RETURNING ${sql.identifier(head.name)}`,
    ),
    updateHead: driver.prepare<never>(sql`UPDATE ${heads} SET ${assignments(columns)} WHERE ${unmoved}`),
    putPresentation: driver.prepare<never>(
      sql`${insertInto(presentations, { head: presentations.head, presentation })} ${orReplace} ${excluded([presentation])}`,
    ),
    putBody: driver.prepare<never>(
      sql`${insertInto(bodies, { head: bodies.head, body })} ${orReplace} ${excluded([body])}`,
    ),
    deletePresentation: driver.prepare<never>(
      sql`DELETE FROM ${presentations} WHERE ${presentations.head} = ${sql.placeholder('head')}`,
    ),
    deleteBody: driver.prepare<never>(
      sql`DELETE FROM ${bodies} WHERE ${bodies.head} = ${sql.placeholder('head')}`,
    ),
    deleteHead: driver.prepare<never>(sql`DELETE FROM ${heads} WHERE ${head} = ${sql.placeholder('head')}`),
  }
}

function prepareHistoryWrites(driver: SqlWriteDriver, { heads, versions, moments }: Tables) {
  const { row: _, ...version } = getTableColumns(versions)
  const { line, kind, id, from, ...marks } = getTableColumns(moments)
  const key = sql.join(
    [line, kind, id, from].map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  const of = (table: Tables['versions'] | Tables['moments']) =>
    sql`${table.line} = ${sql.placeholder('line')} AND ${table.kind} = ${sql.placeholder('kind')} AND ${table.id} = ${sql.placeholder('id')}`
  return {
    insertVersion: driver.prepare<never>(sql`${insertInto(versions, version)} ON CONFLICT DO NOTHING`),
    putMoment: driver.prepare<never>(
      sql`${insertInto(moments, { line, kind, id, from, ...marks })} ON CONFLICT (${key}) DO UPDATE SET ${excluded(Object.values(marks))}`,
    ),
    forgetVersions: driver.prepare<never>(
      sql`DELETE FROM ${versions} WHERE ${of(versions)} AND ${versions.version} < ${sql.placeholder('before')} AND ${versions.version} <> ${sql.placeholder('keep')}`,
    ),
    forgetUnbased: driver.prepare<never>(
      sql`DELETE FROM ${versions} WHERE ${of(versions)} AND ${versions.version} < ${sql.placeholder('before')} AND ${versions.version} <> ${sql.placeholder('keep')} AND NOT EXISTS (SELECT 1 FROM ${heads} WHERE ${heads.kind} = ${sql.placeholder('kind')} AND ${heads.id} = ${sql.placeholder('id')} AND ${heads.base} IS NOT NULL AND (${heads.base} = ${versions.version} OR ${heads.basePublished} = ${versions.version} OR ${heads.publishedVersion} = -${versions.version}))`,
    ),
    deleteVersions: driver.prepare<never>(sql`DELETE FROM ${versions} WHERE ${of(versions)}`),
    deleteMoments: driver.prepare<never>(sql`DELETE FROM ${moments} WHERE ${of(moments)}`),
  }
}
