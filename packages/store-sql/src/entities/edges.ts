import { type EdgeQuery, type EntityKind, type GraphEdge, entityKinds } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Prepared, SqlDriver } from '../driver.ts'
import type { Scope } from '../branches.ts'
import { listText } from '../list-text.ts'
import { notOverridden } from './overridden.ts'

/** An edge as selected: target, source, path, the rule on deletion, kind of the source. */
type GraphRow = readonly [string, string, string, GraphEdge['onDelete'], EntityKind]

/**
 * The reads of edges, by target and by source: of one branch, and of a package's branch over main.
 */
export type EdgeReads = ReturnType<typeof prepareGraph>

export function prepareGraph(driver: SqlDriver, dialect: Dialect) {
  return {
    edges: { target: prepareEnd(driver, dialect, 'target'), source: prepareEnd(driver, dialect, 'source') },
  }
}

/** The reads of edges by one of their ends. */
export interface EndReads {
  readonly alone: Prepared<GraphRow>
  readonly over: Prepared<GraphRow>
}

function prepareEnd(driver: SqlDriver, dialect: Dialect, end: EdgeQuery['end']): EndReads {
  const own = selectEdges(dialect, end, { branch: 'branch' })
  const visible = selectEdges(dialect, end, { branch: 'main', visible: notOverridden(dialect.tables) })
  const order = end === 'target' ? sql`target, source` : sql`source, target`
  const page = sql`ORDER BY ${order}, path, kind LIMIT ${sql.placeholder('limit')}`
  return {
    alone: driver.prepare(sql`${own} ${page}`),
    over: driver.prepare(sql`${own} UNION ALL ${visible} ${page}`),
  }
}

/**
 * Only live heads have edges. A read by target walks the edges' own rows in order; a read by source
 * starts from the heads, whose ids are unique within a kind. A page continues with the rest of the
 * current end, then with the ends after it. These are two conditions: with a single one, each page
 * would walk the index from the start of the current end.
 */
function selectEdges(
  { anyOf, joinInOrder, tables: { edges, heads } }: Dialect,
  end: EdgeQuery['end'],
  { branch, visible = sql`TRUE` }: { branch: string; visible?: SQL },
): SQL {
  const at = sql.placeholder(branch)
  const from =
    end === 'target'
      ? sql`${edges} ${joinInOrder} ${heads} ON ${heads.head} = ${edges.head} WHERE ${edges.branch} = ${at}`
      : sql`${heads} ${joinInOrder} ${edges} ON ${edges.head} = ${heads.head} WHERE ${heads.branch} = ${at} AND ${heads.kind} IN (${kinds})`
  const select = sql`SELECT ${edges.targetId} AS target, ${edges.id} AS source, ${edges.path} AS path, ${edges.onDelete}, ${heads.kind} AS kind FROM ${from} AND ${visible}`
  const [near, far] = end === 'target' ? [edges.targetId, edges.id] : [heads.id, edges.targetId]
  const first = sql.placeholder('first')
  const rest = sql`${near} = ${first} AND (${far}, ${edges.path}) > (${sql.placeholder('second')}, ${sql.placeholder('path')})`
  return sql`${select} AND ${rest} UNION ALL ${select} AND ${anyOf(near, sql.placeholder('ids'))} AND ${near} > ${first}`
}

const kinds = sql.raw(entityKinds.map((kind) => `'${kind}'`).join(', '))

/** The edges of live heads with one of the given ends, as the branch shows them. */
export async function readEdges(
  { edges }: EdgeReads,
  { own, main }: Scope,
  { end, ids, limit, after }: EdgeQuery,
): Promise<readonly GraphEdge[]> {
  const { alone, over } = edges[end]
  const branch = own ?? main
  if (branch === null) return []
  // Ids are never empty, so the empty string is before all of them.
  const { sourceId = '', targetId = '', path = '' } = after ?? {}
  const [first, second] = end === 'target' ? [targetId, sourceId] : [sourceId, targetId]
  const asked = { branch, ids: listText(ids), limit, first, second, path }
  const rows = await (own === null || main === null
    ? alone.all(asked)
    : over.all({ ...asked, main, over: own }))
  return rows.map(([target, source, at, onDelete, sourceKind]) => ({
    sourceKind,
    sourceId: source,
    path: at,
    targetId: target,
    onDelete,
  }))
}
