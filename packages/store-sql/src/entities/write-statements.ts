import { publishedBranchId } from '@quire/core/ports'
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { readByKey } from '../keyed-read.ts'
import { type NamedColumns, type RowOf, excluded, names, selected } from '../row-of.ts'
import { type RowSource, deleteRows, insertComputed, insertRow, updateRow } from '../row-write.ts'
import { prepareDerivedWrites } from './derived-statements.ts'
import { prepareValueWrites } from './large-values.ts'
import { notOverridden } from './overridden.ts'

/** All prepared writes of entities on the writing connection. */
export type EntityWrites = ReturnType<typeof prepareEntityWrites>

/** The stored head that a write replaces: enough to check the write and to delete derived rows. */
function currentColumns({ head, revision, version, deletedDate, updatedDate }: Tables['heads']) {
  return [head, revision, version, deletedDate, updatedDate] as const
}

/** The stored head before a write. */
export type CurrentRow = RowOf<ReturnType<typeof currentColumns>>

/**
 * What a write must know before it begins. `nextHead` and `heldElsewhere` are null when the branch
 * has a head already.
 */
type BeforeRow = readonly [
  nextHead: number | null,
  heldElsewhere: number | null,
  nextSearchRow: number,
  slugInUse: string | null,
  ...current: CurrentRow | readonly [null, null, null, null, null],
]

/** The author of a deleted version, and the bytes that were charged for it. */
export type ChargedRow = readonly [savedPerson: string, bytes: number]

export function prepareEntityWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { heads } = dialect.tables
  const tables = [getTableName(heads)]
  const at = sql`${heads.branch} = ${sql.placeholder('branch')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  const byId = sql`${at} AND ${heads.id} = ${sql.placeholder('id')}`
  const live = sql`${heads.slug} = ${sql.placeholder('slug')} AND ${heads.deletedDate} IS NULL`
  const accepted = sql`SELECT ${heads.id} FROM ${heads} WHERE ${at} AND ${live} AND ${heads.id} <> ${sql.placeholder('id')}`
  const other = alias(heads, 'other')
  const slugInUse = sql`SELECT ${other.id} FROM ${heads} ${other} WHERE ${other.branch} = ${sql.placeholder('branch')} AND ${other.kind} = ${sql.placeholder('kind')} AND ${other.slug} = ${sql.placeholder('slug')} AND ${other.deletedDate} IS NULL AND ${other.id} <> ${sql.placeholder('id')} LIMIT 1`
  return {
    before: driver.prepare<BeforeRow>({
      query: sql`SELECT CASE WHEN ${heads.head} IS NULL THEN ${dialect.nextHead} END, CASE WHEN ${heads.head} IS NULL THEN ${heldElsewhere(dialect.tables)} END, ${dialect.nextRow}, (${slugInUse}), ${selected(currentColumns(heads))} FROM (SELECT 1) AS one LEFT JOIN ${heads} ON ${byId}`,
      tables,
      by: ['id', 'slug'],
      // The head that uses the slug may have been given another one.
      isFinal: (row) => row?.[3] === null,
    }),
    current: driver.prepare<CurrentRow>(
      readByKey(sql`SELECT ${selected(currentColumns(heads))} FROM ${heads} WHERE ${byId}`, tables, ['id']),
    ),
    slugInUseVisible: driver.prepare<readonly [string]>({
      query: sql`${accepted} AND ${notOverridden(dialect.tables)} LIMIT 1`,
      tables,
      by: ['slug'],
      isFinal: (row) => row === undefined,
    }),
    itemAt: driver.prepare<readonly [string, number]>(
      readByKey(
        sql`SELECT ${heads.createdBy}, ${heldElsewhere(dialect.tables)} FROM ${heads} WHERE ${byId}`,
        tables,
        ['id'],
      ),
    ),
    ...prepareHeadWrites(driver, dialect.tables),
    ...prepareHistoryWrites(driver, dialect.tables),
    ...prepareDerivedWrites(driver, dialect),
    ...prepareValueWrites(driver, dialect),
  }
}

/** 1 when another branch of the repository, other than the published ones, has the item; else 0. */
function heldElsewhere({ heads, branches }: Tables): SQL {
  const o = alias(heads, 'o')
  return sql`CASE WHEN EXISTS (SELECT 1 FROM ${heads} ${o} JOIN ${branches} ON ${branches.id} = ${o.branch} WHERE ${o.kind} = 'item' AND ${o.id} = ${sql.placeholder('id')} AND ${o.branch} <> ${sql.placeholder('branch')} AND ${branches.repositoryId} = ${sql.placeholder('repositoryId')} AND COALESCE(${branches.packageId}, '') NOT LIKE ${sql.raw(`'${publishedBranchId}%'`)}) THEN 1 ELSE 0 END`
}

function prepareHeadWrites(driver: SqlWriteDriver, tables: Tables) {
  const { heads, headJsonRows: headJson, bodyRows: bodies } = tables
  const { head, ...columns } = getTableColumns(heads)
  const { head: _, ...json } = getTableColumns(headJson)
  const { head: __, ...body } = getTableColumns(bodies)
  const orReplace = (others: NamedColumns) => ({
    key: ['head'],
    rest: sql`ON CONFLICT (${names([head])}) DO UPDATE SET ${excluded(Object.values(others))}`,
    repeats: false,
  })
  return {
    insertHead: driver.prepare<never>(insertRow(heads, { head, ...columns }, { key: ['head'] })),
    updateHead: driver.prepare<never>(updateRow(heads, columns, { by: { head } })),
    putJson: driver.prepare<never>(insertRow(headJson, getTableColumns(headJson), orReplace(json))),
    putBody: driver.prepare<never>(insertRow(bodies, getTableColumns(bodies), orReplace(body))),
    deleteJson: driver.prepare<never>(deleteRows(headJson, { head: headJson.head })),
    deleteBody: driver.prepare<never>(deleteRows(bodies, { head: bodies.head })),
    deleteHead: driver.prepare<never>(deleteRows(heads, { head })),
  }
}

function prepareHistoryWrites(driver: SqlWriteDriver, { heads, versions, moments }: Tables) {
  const { row: _, ...version } = getTableColumns(versions)
  const { branch, kind, id, from, ...state } = getTableColumns(moments)
  const key = sql.join(
    [branch, kind, id, from].map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  const ofEntity = sql`${versions.branch} = ${sql.placeholder('branch')} AND ${versions.kind} = ${sql.placeholder('kind')} AND ${versions.id} = ${sql.placeholder('id')}`
  const entity = { branch, kind, id }
  // The clock may have been set back: a later moment must not get an earlier time.
  const notBeforeLast = (value: RowSource['value']) =>
    sql`coalesce((SELECT ${from} FROM ${moments} WHERE ${branch} = ${value('branch')} AND ${kind} = ${value('kind')} AND ${id} = ${value('id')} AND ${from} > ${value('from')} ORDER BY ${from} DESC LIMIT 1), ${value('from')})`
  // Deleted rows return what was charged for them.
  const charged = sql`RETURNING ${names([versions.savedPerson])}, coalesce(${names([versions.bodyBytes])}, octet_length(${names([versions.body])})) + coalesce(${names([versions.files])}, 0)`
  return {
    insertVersion: driver.prepare<never>(
      insertRow(versions, version, { key: Object.keys(entity), rest: sql`ON CONFLICT DO NOTHING` }),
    ),
    putMoment: driver.prepare<never>(
      insertComputed(
        moments,
        { ...entity, from, ...state },
        {
          key: Object.keys(entity),
          computed: { from: notBeforeLast },
          rest: sql`ON CONFLICT (${key}) DO UPDATE SET ${excluded(Object.values(state))}`,
          repeats: false,
        },
      ),
    ),
    forgetVersions: driver.prepare<ChargedRow>(
      sql`DELETE FROM ${versions} WHERE ${ofEntity} AND ${versions.version} < ${sql.placeholder('before')} AND ${versions.version} <> ${sql.placeholder('retain')} AND ${versions.version} > (SELECT min(${versions.version}) FROM ${versions} WHERE ${ofEntity}) ${charged}`,
    ),
    forgetUnbased: driver.prepare<ChargedRow>(
      sql`DELETE FROM ${versions} WHERE ${ofEntity} AND ${versions.version} < ${sql.placeholder('before')} AND ${versions.version} <> ${sql.placeholder('retain')} AND NOT EXISTS (SELECT 1 FROM ${heads} WHERE ${heads.kind} = ${sql.placeholder('kind')} AND ${heads.id} = ${sql.placeholder('id')} AND ${heads.base} IS NOT NULL AND (${heads.base} = ${versions.version} OR ${heads.basePublished} = ${versions.version} OR (${heads.inheritsPublished} = 1 AND ${heads.publishedVersion} = ${versions.version}))) ${charged}`,
    ),
    deleteVersions: driver.prepare<ChargedRow>(sql`DELETE FROM ${versions} WHERE ${ofEntity} ${charged}`),
    deleteMoments: driver.prepare<never>(deleteRows(moments, entity)),
  }
}
