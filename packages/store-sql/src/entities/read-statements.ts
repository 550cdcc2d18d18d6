import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlDriver, SqlValue } from '../driver.ts'
import { prepareFacets } from '../facets/read-facets.ts'
import { type QueryColumns, queryColumns } from '../query/columns.ts'
import type { QueryLanguage } from '../query/filter.ts'
import type { PageColumns } from '../query/list-query.ts'
import { fixed } from '../query/piece.ts'
import { type Shapes, createShapes } from '../query/shapes.ts'
import { type RowOf, selected } from '../row-of.ts'
import { prepareDocumentReads } from '../search/documents.ts'
import { prepareGraph } from './edges.ts'
import {
  type HeadDecoder,
  type HeadRow,
  type PresentedRow,
  createHeadDecoder,
  type OwnRow,
  headColumns,
  ownColumns,
  presentedColumns,
} from './head-row.ts'
import { notOverridden } from './overridden.ts'

/** A presented head followed by its sort keys. */
export type ListRow = readonly [...PresentedRow, ...SqlValue[]]

/** A presented head followed by its row in the search index. */
export type FoundRow = readonly [...PresentedRow, number]

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
  const present = sql`SELECT ${selected(presentedColumns(dialect.tables))} FROM ${heads} ${withPresentation(dialect)} WHERE`
  const at = sql`${heads.line} = ${sql.placeholder('line')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  const byId = sql`${at} AND ${heads.id} = ${sql.placeholder('id')}`
  const bySlug = sql`${at} AND ${heads.slug} = ${sql.placeholder('slug')} AND ${heads.deletedDate} IS NULL`
  const shown = notOverridden(dialect.tables)
  return {
    byId: driver.prepare<HeadRow>(sql`${select} ${byId}`),
    holds: driver.prepare<readonly [number]>(sql`SELECT 1 FROM ${heads} WHERE ${byId}`),
    byIds: driver.prepare<HeadRow>(
      sql`${select} ${at} AND ${dialect.anyOf(heads.id, sql.placeholder('ids'))}`,
    ),
    owned: driver.prepare<OwnRow>(
      sql`SELECT ${selected(ownColumns(dialect.tables))} FROM ${heads} WHERE ${heads.line} = ${sql.placeholder('line')} AND (${heads.kind}, ${heads.id}) > (${sql.placeholder('kind')}, ${sql.placeholder('id')}) ORDER BY ${heads.kind}, ${heads.id} LIMIT ${sql.placeholder('limit')}`,
    ),
    bySlug: driver.prepare<PresentedRow>(sql`${present} ${bySlug}`),
    bySlugShown: driver.prepare<PresentedRow>(sql`${present} ${bySlug} AND ${shown}`),
    ...prepareHistory(driver, dialect.tables),
    ...prepareUpkeep(driver, dialect),
    ...prepareEdges(driver, dialect),
    ...prepareGraph(driver, dialect),
    ...prepareFacets(heavy),
    ...prepareDocumentReads(driver, dialect),
    ...prepareLists(driver, dialect, heavy),
  }
}

/** The presentations of heads, looked up once the heads are chosen. */
function withPresentation({ joinInOrder, tables: { heads, presentations } }: Dialect): SQL {
  return sql`${joinInOrder} ${presentations} ON ${presentations.head} = ${heads.head}`
}

/** Their bodies too. */
function withAll(dialect: Dialect): SQL {
  const { heads, bodies } = dialect.tables
  return sql`${withPresentation(dialect)} ${dialect.joinInOrder} ${bodies} ON ${bodies.head} = ${heads.head}`
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
    line,
    kind,
    id,
  }: Pick<Tables['versions'], 'line' | 'kind' | 'id'> | Pick<Tables['moments'], 'line' | 'kind' | 'id'>) =>
    sql`${line} = ${sql.placeholder('line')} AND ${kind} = ${sql.placeholder('kind')} AND ${id} = ${sql.placeholder('id')}`
  const version = sql`SELECT ${selected(versionColumns(versions))} FROM ${versions} WHERE ${at(versions)}`
  return {
    version: driver.prepare<VersionRow>(
      sql`${version} AND ${versions.version} = ${sql.placeholder('version')}`,
    ),
    versions: driver.prepare<VersionRow>(
      sql`${version} AND ${versions.version} < ${sql.placeholder('before')} ORDER BY ${versions.version} DESC LIMIT ${sql.placeholder('limit')}`,
    ),
    moment: driver.prepare<MomentRow>(
      sql`SELECT ${selected(momentColumns(moments))} FROM ${moments} WHERE ${at(moments)} AND ${moments.from} <= ${sql.placeholder('time')} ORDER BY ${moments.from} DESC LIMIT 1`,
    ),
  }
}

/** What a read of a deleted head selects. */
function deletedColumns({ heads, lines }: Tables) {
  return [lines.repositoryId, lines.packageId, heads.kind, heads.id, heads.deletedDate] as const
}

/** A deleted head as selected. */
type DeletedRow = RowOf<ReturnType<typeof deletedColumns>>

function prepareUpkeep(driver: SqlDriver, { joinInOrder, tables }: Dialect) {
  const { heads, lines, versionBlobs } = tables
  const { line, kind, id, deletedDate } = heads
  const place = selected([deletedDate, line, kind, id])
  const after = sql.join(
    ['date', 'line', 'kind', 'id'].map((name) => sql.placeholder(name)),
    sql`, `,
  )
  const { hash } = versionBlobs
  return {
    neededBlobs: driver.prepare<readonly [string]>(
      sql`SELECT DISTINCT ${hash} FROM ${versionBlobs} WHERE ${hash} > ${sql.placeholder('after')} ORDER BY ${hash} LIMIT ${sql.placeholder('limit')}`,
    ),
    deletedBefore: driver.prepare<DeletedRow>(
      sql`SELECT ${selected(deletedColumns(tables))} FROM ${heads} ${joinInOrder} ${lines} ON ${lines.id} = ${line} WHERE ${deletedDate} IS NOT NULL AND ${deletedDate} < ${sql.placeholder('before')} AND (${place}) > (${after}) ORDER BY ${place} LIMIT ${sql.placeholder('limit')}`,
    ),
  }
}

function prepareEdges(driver: SqlDriver, dialect: Dialect) {
  const { heads, edges } = dialect.tables
  const shown = notOverridden(dialect.tables)
  const from = sql`SELECT ${selected([...headColumns(dialect.tables), edges.path, edges.onDelete])} FROM ${edges} ${dialect.joinInOrder} ${heads} ON ${heads.head} = ${edges.head} ${withAll(dialect)}`
  const pointing = sql`${from} WHERE ${edges.line} = ${sql.placeholder('line')} AND ${edges.targetId} = ${sql.placeholder('target')}`
  const order = sql`ORDER BY ${edges.id}, ${edges.path} LIMIT ${sql.placeholder('limit')}`
  return {
    incoming: driver.prepare<EdgeRow>(sql`${pointing} ${order}`),
    incomingShown: driver.prepare<EdgeRow>(sql`${pointing} AND ${shown} ${order}`),
  }
}

/** What list queries run on. */
export interface ListRuns {
  readonly pages: Shapes<ListRow>
  readonly numbers: Shapes<readonly [number]>
  /** How far the nearest rows of a list reach. */
  readonly horizons: Shapes<readonly [SqlValue]>
  readonly rows: Shapes<readonly [number]>
  readonly found: Shapes<FoundRow>
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
      columns: fixed('columns', selected(presentedColumns(dialect.tables))),
      joined: fixed(
        'JOIN',
        sql`${joinInOrder} ${heads} ON ${heads.head} = p.head ${withPresentation(dialect)}`,
      ),
    },
    ...prepareRuns(driver),
    wide: prepareRuns(heavy),
    decoder: createHeadDecoder(),
  }
}
