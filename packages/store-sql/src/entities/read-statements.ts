import { type SQL, getTableName, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { Prepared, SqlDriver, SqlValue } from '../driver.ts'
import { prepareFacets } from '../facets/read-facets.ts'
import { type QueryColumns, queryColumns } from '../query/columns.ts'
import type { QueryLanguage } from '../query/filter.ts'
import type { PageColumns } from '../query/list-query.ts'
import { fixed } from '../query/sql-part.ts'
import { type Shapes, createShapes } from '../query/shapes.ts'
import { readByKey } from '../keyed-read.ts'
import { type RowOf, selected } from '../row-of.ts'
import { prepareDocumentReads } from '../search/documents.ts'
import { prepareGraph } from './edges.ts'
import {
  type HeadDecoder,
  type HeadRow,
  type JsonRow,
  createHeadDecoder,
  type OwnRow,
  headColumns,
  ownColumns,
  jsonColumns,
} from './head-row.ts'
import { notOverridden } from './overridden.ts'

/** A head as JSON, followed by its sort keys. */
export type ListRow = readonly [...JsonRow, ...SqlValue[]]

/** A head as JSON, followed by its row in the search index. */
export type CountedRow = readonly [...JsonRow, number]

/** A head, followed by the edge's path and its rule on deletion. */
export type EdgeRow = readonly [
  ...HeadRow,
  ...RowOf<readonly [Tables['edges']['path'], Tables['edges']['onDelete']]>,
]

/** All prepared reads of entities on one connection. */
export type EntityReads = ReturnType<typeof prepareEntityReads>

/** Prepares the reads of a connection; slow ones run on `heavy`. */
export function prepareEntityReads(driver: SqlDriver, dialect: Dialect, heavy: SqlDriver = driver) {
  const { heads, headJsonRows, bodyRows } = dialect.tables
  const tables = [heads, headJsonRows, bodyRows].map(getTableName)
  const select = sql`SELECT ${selected(headColumns(dialect.tables))} FROM ${heads} ${withAll(dialect)} WHERE`
  const existing = sql`SELECT ${selected(jsonColumns(dialect.tables))} FROM ${heads} ${withJson(dialect)} WHERE`
  const at = sql`${heads.branch} = ${sql.placeholder('branch')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  const byId = sql`${at} AND ${heads.id} = ${sql.placeholder('id')}`
  const bySlug = sql`${at} AND ${heads.slug} = ${sql.placeholder('slug')} AND ${heads.deletedDate} IS NULL`
  const visible = notOverridden(dialect.tables)
  const ifUnused = {
    tables: [heads, headJsonRows].map(getTableName),
    by: ['slug'],
    isFinal: (row: JsonRow | undefined) => row === undefined,
  }
  return {
    byId: driver.prepare<HeadRow>(readByKey(sql`${select} ${byId}`, tables, ['id'])),
    holds: driver.prepare<readonly [number]>(
      readByKey(sql`SELECT 1 FROM ${heads} WHERE ${byId}`, tables, ['id']),
    ),
    mainReaders: driver.prepare<readonly [id: string, roles: string]>(
      sql`SELECT ${heads.id}, ${heads.roles} FROM ${heads} WHERE ${at} AND ${dialect.anyOf(heads.id, sql.placeholder('ids'))} AND ${heads.limited} = 1`,
    ),
    byIds: driver.prepare<HeadRow>(
      sql`${select} ${at} AND ${dialect.anyOf(heads.id, sql.placeholder('ids'))}`,
    ),
    owned: driver.prepare<OwnRow>(
      sql`SELECT ${selected(ownColumns(dialect.tables))} FROM ${heads} WHERE ${heads.branch} = ${sql.placeholder('branch')} AND (${heads.kind}, ${heads.id}) > (${sql.placeholder('kind')}, ${sql.placeholder('id')}) ORDER BY ${heads.kind}, ${heads.id} LIMIT ${sql.placeholder('limit')}`,
    ),
    bySlug: driver.prepare<JsonRow>({ query: sql`${existing} ${bySlug}`, ...ifUnused }),
    bySlugVisible: driver.prepare<JsonRow>({ query: sql`${existing} ${bySlug} AND ${visible}`, ...ifUnused }),
    ...prepareHistory(driver, dialect.tables),
    ...prepareMaintenance(driver, dialect),
    ...prepareEdges(driver, dialect),
    ...prepareGraph(driver, dialect),
    ...prepareFacets(heavy),
    ...prepareDocumentReads(driver, dialect),
    ...prepareLists(driver, dialect, heavy),
  }
}

/** Joins the JSON of heads, after the heads were chosen. */
function withJson({ joinInOrder, tables: { heads, headJson } }: Dialect): SQL {
  return sql`${joinInOrder} ${headJson} ON ${headJson.head} = ${heads.head}`
}

/** Joins the JSON and the bodies of heads. */
function withAll(dialect: Dialect): SQL {
  const { heads, bodies } = dialect.tables
  return sql`${withJson(dialect)} ${dialect.joinInOrder} ${bodies} ON ${bodies.head} = ${heads.head}`
}

function versionColumns(versions: Tables['wholeVersions']) {
  const { version, type, name, slug, parentId, savedDate, savedPerson, roles, body } = versions
  return [version, type, name, slug, parentId, savedDate, savedPerson, roles, body] as const
}

export type VersionRow = RowOf<ReturnType<typeof versionColumns>>

function momentColumns(moments: Tables['moments']) {
  const { from, version, publishedVersion, publishedDate, archived, deleted } = moments
  return [from, version, publishedVersion, publishedDate, archived, deleted] as const
}

export type MomentRow = RowOf<ReturnType<typeof momentColumns>>

function prepareHistory(driver: SqlDriver, { versions, wholeVersions, moments }: Tables) {
  const at = ({
    branch,
    kind,
    id,
  }:
    | Pick<Tables['versions'], 'branch' | 'kind' | 'id'>
    | Pick<Tables['wholeVersions'], 'branch' | 'kind' | 'id'>
    | Pick<Tables['moments'], 'branch' | 'kind' | 'id'>) =>
    sql`${branch} = ${sql.placeholder('branch')} AND ${kind} = ${sql.placeholder('kind')} AND ${id} = ${sql.placeholder('id')}`
  const version = sql`SELECT ${selected(versionColumns(wholeVersions))} FROM ${wholeVersions} WHERE ${at(wholeVersions)}`
  return {
    version: driver.prepare<VersionRow>(
      sql`${version} AND ${wholeVersions.version} = ${sql.placeholder('version')}`,
    ),
    versions: driver.prepare<VersionRow>(
      sql`${version} AND ${wholeVersions.version} < ${sql.placeholder('before')} ORDER BY ${wholeVersions.version} DESC LIMIT ${sql.placeholder('limit')}`,
    ),
    // Only the length is read: a body that is stored out of line is not loaded.
    versionTotals: driver.prepare<readonly [number, number]>(
      sql`SELECT count(*), CAST(coalesce(sum(coalesce(${versions.bodyBytes}, octet_length(${versions.body}))), 0) AS bigint) FROM ${versions} WHERE ${at(versions)}`,
    ),
    moment: driver.prepare<MomentRow>(
      sql`SELECT ${selected(momentColumns(moments))} FROM ${moments} WHERE ${at(moments)} AND ${moments.from} <= ${sql.placeholder('time')} ORDER BY ${moments.from} DESC LIMIT 1`,
    ),
  }
}

function deletedColumns({ heads, branches }: Tables) {
  return [branches.repositoryId, branches.packageId, heads.kind, heads.id, heads.deletedDate] as const
}

type DeletedRow = RowOf<ReturnType<typeof deletedColumns>>

function prepareMaintenance(driver: SqlDriver, { joinInOrder, tables }: Dialect) {
  const { heads, branches, versionBlobs } = tables
  const { branch, kind, id, deletedDate, roles } = heads
  const scope = selected([deletedDate, branch, kind, id])
  const after = sql.join(
    ['date', 'branch', 'kind', 'id'].map((name) => sql.placeholder(name)),
    sql`, `,
  )
  const { hash } = versionBlobs
  return {
    neededBlobs: driver.prepare<readonly [string]>(
      sql`SELECT DISTINCT ${hash} FROM ${versionBlobs} WHERE ${hash} > ${sql.placeholder('after')} ORDER BY ${hash} LIMIT ${sql.placeholder('limit')}`,
    ),
    // The underscore is the only LIKE wildcard that occurs in ids, and the ids of two roles also
    // differ elsewhere.
    namesRole: driver.prepare<readonly [number]>(
      sql`SELECT 1 FROM ${heads} WHERE ${roles} <> '' AND ${roles} LIKE ${sql.placeholder('role')} LIMIT 1`,
    ),
    deletedBefore: driver.prepare<DeletedRow>(
      sql`SELECT ${selected(deletedColumns(tables))} FROM ${heads} ${joinInOrder} ${branches} ON ${branches.id} = ${branch} WHERE ${deletedDate} IS NOT NULL AND ${deletedDate} < ${sql.placeholder('before')} AND (${scope}) > (${after}) ORDER BY ${scope} LIMIT ${sql.placeholder('limit')}`,
    ),
  }
}

function prepareEdges(driver: SqlDriver, dialect: Dialect) {
  const { heads, edges } = dialect.tables
  const visible = notOverridden(dialect.tables)
  const from = sql`SELECT ${selected([...headColumns(dialect.tables), edges.path, edges.onDelete])} FROM ${edges} ${dialect.joinInOrder} ${heads} ON ${heads.head} = ${edges.head} ${withAll(dialect)}`
  const pointing = sql`${from} WHERE ${edges.branch} = ${sql.placeholder('branch')} AND ${edges.targetId} = ${sql.placeholder('target')}`
  const order = sql`ORDER BY ${edges.id}, ${edges.path} LIMIT ${sql.placeholder('limit')}`
  return {
    incoming: driver.prepare<EdgeRow>(sql`${pointing} ${order}`),
    incomingVisible: driver.prepare<EdgeRow>(sql`${pointing} AND ${visible} ${order}`),
  }
}

/** The number of a head, followed by its sort keys. */
type NumberRow = readonly [head: number, ...SqlValue[]]

/** The statements that list queries run on. */
export interface ListRuns {
  readonly pages: Shapes<ListRow>
  /** Pages whose plan may be used for other values, too. */
  readonly steadyPages: Shapes<ListRow>
  /** Pages without what is sent of their heads. */
  readonly headsOfPage: Shapes<NumberRow>
  readonly numbers: Shapes<readonly [number]>
  /** The sort value at which the nearest rows of a list end. */
  readonly horizons: Shapes<readonly [SqlValue]>
  readonly rows: Shapes<readonly [number]>
  readonly found: Shapes<CountedRow>
  /** How many rows of the index matched, and how many of them passed the filters. */
  readonly counted: Shapes<readonly [rows: number, found: number]>
}

/** What list queries need. */
export interface Lists extends ListRuns {
  readonly language: QueryLanguage
  readonly page: PageColumns
  /** The columns of `headsOfPage`. */
  readonly headColumn: PageColumns
  /** Heads by their numbers, in any order. */
  readonly byNumbers: Prepared<JsonRow>
  readonly decoder: HeadDecoder
  /** The same statements for slow queries. */
  readonly wide: ListRuns
}

function prepareRuns(driver: SqlDriver): ListRuns {
  return {
    pages: createShapes(driver),
    steadyPages: createShapes(driver, 'once'),
    headsOfPage: createShapes(driver),
    numbers: createShapes(driver),
    horizons: createShapes(driver),
    rows: createShapes(driver),
    found: createShapes(driver),
    counted: createShapes(driver),
  }
}

function prepareLists(driver: SqlDriver, dialect: Dialect, heavy: SqlDriver): Lists {
  const { joinInOrder, tables } = dialect
  const { heads } = tables
  const columns: QueryColumns = queryColumns(dialect)
  return {
    language: { dialect, columns },
    page: {
      columns: fixed('columns', selected(jsonColumns(dialect.tables))),
      joined: fixed('JOIN', sql`${joinInOrder} ${heads} ON ${heads.head} = p.head ${withJson(dialect)}`),
    },
    headColumn: { columns: fixed('p.head', sql`p.head`), joined: fixed('', sql``) },
    byNumbers: driver.prepare<JsonRow>(
      sql`SELECT ${selected(jsonColumns(tables))} FROM ${heads} ${withJson(dialect)} WHERE ${dialect.anyNumberOf(heads.head, sql.placeholder('heads'))}`,
    ),
    ...prepareRuns(driver),
    wide: prepareRuns(heavy),
    decoder: createHeadDecoder(),
  }
}
