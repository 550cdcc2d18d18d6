import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlDriver, SqlValue } from '../driver.ts'
import { prepareFacets } from '../facets/read-facets.ts'
import { type QueryColumns, queryColumns } from '../query/columns.ts'
import type { QueryLanguage } from '../query/filter.ts'
import type { PageColumns } from '../query/list-query.ts'
import { fixed } from '../query/sql-part.ts'
import { type Shapes, createShapes } from '../query/shapes.ts'
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

/** A presented head followed by its sort keys. */
export type ListRow = readonly [...JsonRow, ...SqlValue[]]

/** A presented head followed by its row in the search index. */
export type CountedRow = readonly [...JsonRow, number]

/** A head followed by the edge's path and what holds on delete. */
export type EdgeRow = readonly [
  ...HeadRow,
  ...RowOf<readonly [Tables['edges']['path'], Tables['edges']['onDelete']]>,
]

/** Everything that reads of entities run on one connection. */
export type EntityReads = ReturnType<typeof prepareEntityReads>

/** Prepares the reads of a connection; `heavy` is where those run that take long. */
export function prepareEntityReads(driver: SqlDriver, dialect: Dialect, heavy: SqlDriver = driver) {
  const { heads } = dialect.tables
  const select = sql`SELECT ${selected(headColumns(dialect.tables))} FROM ${heads} ${withAll(dialect)} WHERE`
  const existing = sql`SELECT ${selected(jsonColumns(dialect.tables))} FROM ${heads} ${withJson(dialect)} WHERE`
  const at = sql`${heads.branch} = ${sql.placeholder('branch')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  const byId = sql`${at} AND ${heads.id} = ${sql.placeholder('id')}`
  const bySlug = sql`${at} AND ${heads.slug} = ${sql.placeholder('slug')} AND ${heads.deletedDate} IS NULL`
  const visible = notOverridden(dialect.tables)
  return {
    byId: driver.prepare<HeadRow>(sql`${select} ${byId}`),
    holds: driver.prepare<readonly [number]>(sql`SELECT 1 FROM ${heads} WHERE ${byId}`),
    byIds: driver.prepare<HeadRow>(
      sql`${select} ${at} AND ${dialect.anyOf(heads.id, sql.placeholder('ids'))}`,
    ),
    owned: driver.prepare<OwnRow>(
      sql`SELECT ${selected(ownColumns(dialect.tables))} FROM ${heads} WHERE ${heads.branch} = ${sql.placeholder('branch')} AND (${heads.kind}, ${heads.id}) > (${sql.placeholder('kind')}, ${sql.placeholder('id')}) ORDER BY ${heads.kind}, ${heads.id} LIMIT ${sql.placeholder('limit')}`,
    ),
    bySlug: driver.prepare<JsonRow>(sql`${existing} ${bySlug}`),
    bySlugVisible: driver.prepare<JsonRow>(sql`${existing} ${bySlug} AND ${visible}`),
    ...prepareHistory(driver, dialect.tables),
    ...prepareMaintenance(driver, dialect),
    ...prepareEdges(driver, dialect),
    ...prepareGraph(driver, dialect),
    ...prepareFacets(heavy),
    ...prepareDocumentReads(driver, dialect),
    ...prepareLists(driver, dialect, heavy),
  }
}

/** The JSON of heads, looked up once the heads are chosen. */
function withJson({ joinInOrder, tables: { heads, headJson } }: Dialect): SQL {
  return sql`${joinInOrder} ${headJson} ON ${headJson.head} = ${heads.head}`
}

/** Their bodies too. */
function withAll(dialect: Dialect): SQL {
  const { heads, bodies } = dialect.tables
  return sql`${withJson(dialect)} ${dialect.joinInOrder} ${bodies} ON ${bodies.head} = ${heads.head}`
}

/** What a read of a version selects. */
function versionColumns(versions: Tables['versions']) {
  const { version, type, name, slug, parentId, savedDate, savedPerson, roles, body } = versions
  return [version, type, name, slug, parentId, savedDate, savedPerson, roles, body] as const
}

/** A version as selected. */
export type VersionRow = RowOf<ReturnType<typeof versionColumns>>

/** What a read of a moment selects. */
function momentColumns(moments: Tables['moments']) {
  const { from, version, publishedVersion, publishedDate, archived, deleted } = moments
  return [from, version, publishedVersion, publishedDate, archived, deleted] as const
}

/** A moment as selected. */
export type MomentRow = RowOf<ReturnType<typeof momentColumns>>

function prepareHistory(driver: SqlDriver, { versions, moments }: Tables) {
  const at = ({
    branch,
    kind,
    id,
  }:
    | Pick<Tables['versions'], 'branch' | 'kind' | 'id'>
    | Pick<Tables['moments'], 'branch' | 'kind' | 'id'>) =>
    sql`${branch} = ${sql.placeholder('branch')} AND ${kind} = ${sql.placeholder('kind')} AND ${id} = ${sql.placeholder('id')}`
  const version = sql`SELECT ${selected(versionColumns(versions))} FROM ${versions} WHERE ${at(versions)}`
  return {
    version: driver.prepare<VersionRow>(
      sql`${version} AND ${versions.version} = ${sql.placeholder('version')}`,
    ),
    versions: driver.prepare<VersionRow>(
      sql`${version} AND ${versions.version} < ${sql.placeholder('before')} ORDER BY ${versions.version} DESC LIMIT ${sql.placeholder('limit')}`,
    ),
    // The length alone is read: a body that is kept apart stays where it is.
    versionTotals: driver.prepare<readonly [number, number]>(
      sql`SELECT count(*), CAST(coalesce(sum(octet_length(${versions.body})), 0) AS bigint) FROM ${versions} WHERE ${at(versions)}`,
    ),
    moment: driver.prepare<MomentRow>(
      sql`SELECT ${selected(momentColumns(moments))} FROM ${moments} WHERE ${at(moments)} AND ${moments.from} <= ${sql.placeholder('time')} ORDER BY ${moments.from} DESC LIMIT 1`,
    ),
  }
}

/** What a read of a deleted head selects. */
function deletedColumns({ heads, branches }: Tables) {
  return [branches.repositoryId, branches.packageId, heads.kind, heads.id, heads.deletedDate] as const
}

/** A deleted head as selected. */
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
    // Ids hold nothing that LIKE knows but underscores, and those of two roles differ elsewhere too.
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

/** What list queries run on. */
export interface ListRuns {
  readonly pages: Shapes<ListRow>
  readonly numbers: Shapes<readonly [number]>
  /** How far the nearest rows of a list reach. */
  readonly horizons: Shapes<readonly [SqlValue]>
  readonly rows: Shapes<readonly [number]>
  readonly found: Shapes<CountedRow>
  /** Rows of the index, and how many of them pass. */
  readonly counted: Shapes<readonly [rows: number, found: number]>
}

/** What list queries are made with. */
export interface Lists extends ListRuns {
  readonly language: QueryLanguage
  readonly page: PageColumns
  readonly decoder: HeadDecoder
  /** Where those run that take long. */
  readonly wide: ListRuns
}

function prepareRuns(driver: SqlDriver): ListRuns {
  return {
    pages: createShapes(driver),
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
    ...prepareRuns(driver),
    wide: prepareRuns(heavy),
    decoder: createHeadDecoder(),
  }
}
