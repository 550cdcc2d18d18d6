import type { EntityPage, EntityQuery } from '@quire/core/ports'
import type { Scope } from '../branches.ts'
import { completeQuery } from '../query/complete-path.ts'
import {
  type Plan,
  isBounded,
  isInHeadsOrder,
  sortedPath,
  walkedByHeads,
  walkedBySort,
} from '../query/drive.ts'
import type { QueryLanguage } from '../query/filter.ts'
import { type ListParts, countQuery, horizonQuery, pageQuery, planList } from '../query/list-query.ts'
import type { HeadSet, PathMemo } from '../query/path-memo.ts'
import { armsOf } from '../query/source.ts'
import { holdsMany } from '../search/holds-many.ts'
import { cursorValues } from '../query/sort.ts'
import type { Session } from '../session.ts'
import { cachedPage, decodeRows, type PageRow } from './cached-page.ts'
import { jsonOf } from './head-row.ts'
import type { ListRow, ListRuns, Lists } from './read-statements.ts'

/**
 * A page of heads, with the branch's overlay and the reader's permissions applied, and with the
 * count if requested.
 */
export async function listEntities(
  lists: Lists,
  session: Session,
  { scope, query }: { scope: Scope; query: EntityQuery },
): Promise<EntityPage> {
  const plan = planList(query)
  const arms = armsOf(scope)
  if (!plan || arms.length === 0) return query.count ? { entities: [], count: 0 } : { entities: [] }
  const parts: ListParts = { query, plan, arms }
  const { runs, rows, counted } = await readPage(lists, session, parts)
  const visible = visibleOf(query, rows)
  const isWhole =
    visible.length === rows.length &&
    !isLong(
      query,
      visible.map(({ stored }) => stored.json),
    )
  const more = isWhole ? undefined : visible.at(-1)
  return {
    entities: visible.map(({ stored }) => stored),
    ...(query.count && {
      count:
        (isWhole ? wholeCount(query, rows.length) : undefined) ??
        counted ??
        (await countAll({ language: lists.language, runs }, session, parts)),
    }),
    ...(more && { next: { values: cursorValues(query.sort, more.keys), id: more.stored.id } }),
  }
}

/**
 * The rows of a page: as many as the limit allows, or up to and including the one that exceeds
 * `mostText`.
 */
function visibleOf({ limit, mostText = Number.POSITIVE_INFINITY }: EntityQuery, rows: readonly PageRow[]) {
  let left = mostText
  const end = rows.findIndex(({ stored }) => (left -= stored.json.length) < 0)
  return rows.slice(0, end < 0 ? limit : Math.min(limit, end + 1))
}

function isLong({ mostText = Number.POSITIVE_INFINITY }: EntityQuery, texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > mostText
}

interface ReadPage {
  readonly rows: readonly PageRow[]
  /** The count of all matches, if it was read with the page. */
  readonly counted?: number | undefined
  /** The statements that the count runs on. */
  readonly runs: ListRuns
}

/**
 * A page that an index bounds is read at once. In a repository with many heads, any other page is
 * read where it does not delay other reads. It is looked for among the nearest rows of the sort's
 * own index first, unless words are sought. Only if they do not fill it, all matches are sorted.
 */
async function readPage(lists: Lists, session: Session, parts: ListParts): Promise<ReadPage> {
  const { query, plan, arms } = parts
  const { language } = lists
  const memo = session.memo?.()
  const { filter, text } = query
  if (isBounded(query, plan) || !(await holdsMany(lists, session, { arms, filter, text }))) {
    const ordered = { ...parts, plan: await orderedPlan({ language, runs: lists }, memo, parts) }
    return { runs: lists, ...(await pageAtOnce(lists, session, ordered)) }
  }
  const runs = lists.wide
  const ordered = { ...parts, plan: await orderedPlan({ language, runs }, memo, parts) }
  // The count walks many heads, which this page does not.
  const page = { ...ordered, query: { ...query, count: false } }
  if (isBounded(query, ordered.plan)) return { runs, ...(await pageAtOnce(lists, session, page)) }
  const wide = { ...lists, ...runs }
  // What is sent of the matches of words is not read, and passed on, where they are found.
  if (plan.drive.by === 'words') return { runs, ...(await pageAtOnce(wide, session, parts)) }
  const near = await nearRows(wide, memo, parts)
  const rows = near ?? (await allRows(wide, memo, { parts, ordered }))
  return { runs, rows: decodeRows(rows, session) }
}

/**
 * The page, from the cache of heads as far as there is one. Where counts are not cached, a count that
 * is asked for is read by the same statement.
 */
async function pageAtOnce(
  lists: Lists,
  session: Session,
  parts: ListParts,
): Promise<Pick<ReadPage, 'rows' | 'counted'>> {
  const { heads, counts } = session
  const cached = heads && (await cachedPage(lists, { session, heads }, parts))
  if (cached) return { rows: cached }
  const { count, mostText } = parts.query
  const isCounted = count && !counts && parts.plan.drive.by !== 'words'
  const isSteady = hasSteadyPlan(parts)
  const query = pageQuery(lists.language, lists.page, { ...parts, isCounted, isSteady })
  const rows = await (isSteady ? lists.steadyPages : lists.pages).all(query, mostText)
  return { rows: decodeRows(rows, session), ...(isCounted && { counted: countOf(rows) }) }
}

/** The default size of a page, and a usual one. */
const usualLimits: ReadonlySet<number> = new Set([25, 100])

/**
 * Whether a plan for any values is as good as one for these. Not for values of fields: most are rare, so
 * it would sort all heads that have one. Only for usual first pages, because a connection holds a limited
 * number of plans.
 */
function hasSteadyPlan({ query, plan }: ListParts): boolean {
  const isUsual =
    usualLimits.has(query.limit) && !query.after && !query.offset && (plan.types ?? []).length <= 1
  return isUsual && plan.drive.by === 'heads' && isBounded(query, plan)
}

/** The last column of a counted page; undefined if no row shows it. */
function countOf([row]: readonly ListRow[]): number | undefined {
  const counted = row?.at(-1)
  return typeof counted === 'number' ? counted : undefined
}

/** The page, selected from all matches. */
async function allRows(
  { language, page, pages }: PageRuns,
  memo: PathMemo | undefined,
  { parts, ordered }: { parts: ListParts; ordered: ListParts },
): Promise<readonly ListRow[]> {
  const { mostText } = parts.query
  const rows = await pages.all(pageQuery(language, page, ordered), mostText)
  return mayMiss(memo, ordered) ? pages.all(pageQuery(language, page, parts), mostText) : rows
}

/**
 * Whether a head was written without the walked path in the meantime. All heads had the path when
 * the plan was made.
 */
function mayMiss(memo: PathMemo | undefined, { query, plan, arms }: ListParts): boolean {
  const { drive, types } = plan
  if (!memo || drive.by !== 'values' || drive.driving.test.op !== 'any') return false
  const { path } = drive.driving
  return arms.some(({ branch }) => memo.recall({ branch, kind: query.kind, types }, path) !== true)
}

type PageRuns = Pick<Lists, 'language' | 'page'> & ListRuns

/**
 * How many rows of an index are searched for a page: few at first, since most filters let enough of
 * them through, then as many as take some 40 ms. At half, twice as many pages have to sort all
 * matches.
 */
const nearWidths = [1_000, 16_000]

/** The page, if the nearest rows fill it or are the last ones; else null. */
async function nearRows(
  lists: PageRuns,
  memo: PathMemo | undefined,
  parts: ListParts,
): Promise<readonly ListRow[] | null> {
  const { language, page } = lists
  const plan = await sortPlan({ language, runs: lists }, memo, parts)
  if (!plan) return null
  const walk = { ...parts, plan }
  for (const width of nearWidths) {
    const [[horizon] = [null]] = await lists.horizons.all(horizonQuery(language, walk, width))
    const near = pageQuery(language, page, { ...walk, before: horizon ?? undefined })
    const rows = await lists.pages.all(near, parts.query.mostText)
    if (mayMiss(memo, walk)) return null
    if (horizon === null || rows.length > parts.query.limit || isLong(parts.query, rows.map(jsonOf)))
      return rows
  }
  return null
}

/** The plan that walks an index in the order of the first sort key. Null when there is no such index. */
async function sortPlan(
  runs: PathRuns,
  memo: PathMemo | undefined,
  { query, arms }: ListParts,
): Promise<Plan | null> {
  const byHeads = walkedByHeads(query)
  if (isInHeadsOrder(query)) return byHeads
  const ordered = await orderedPlan(runs, memo, { query, plan: byHeads, arms })
  return ordered === byHeads ? null : ordered
}

/** What the check of a path runs on. */
interface PathRuns {
  readonly language: QueryLanguage
  readonly runs: Pick<ListRuns, 'numbers'>
}

/** A plan that walks the values of the path that the list is sorted by, if all heads have one. */
async function orderedPlan(
  runs: PathRuns,
  memo: PathMemo | undefined,
  { query, plan, arms }: ListParts,
): Promise<Plan> {
  const path = sortedPath(query, plan)
  if (!memo || path === null) return plan
  for (const { branch } of arms) {
    if (!(await isComplete(runs, memo, { branch, kind: query.kind, types: plan.types, path }))) return plan
  }
  return walkedBySort(query, plan, path)
}

async function isComplete(
  { language, runs }: PathRuns,
  memo: PathMemo,
  { path, ...set }: HeadSet & { path: string },
): Promise<boolean> {
  const known = memo.recall(set, path)
  if (known !== undefined) return known
  const before = memo.changes()
  const [row] = await runs.numbers.all(completeQuery(language, set, path))
  const complete = row?.[0] === 1
  if (memo.changes() === before) memo.retain(set, path, complete)
  return complete
}

/** The count, if the page is the first one and holds everything. */
function wholeCount(query: EntityQuery, found: number): number | undefined {
  const isFirst = !query.after && !query.offset
  return isFirst && found <= query.limit ? found : undefined
}

async function countAll(
  { language, runs }: { language: QueryLanguage; runs: ListRuns },
  { counts }: Session,
  parts: ListParts,
): Promise<number> {
  const query = countQuery(language, parts)
  const count = async () => {
    const [row] = await runs.numbers.all(query)
    return row?.[0] ?? 0
  }
  return counts ? counts.get(query, count) : count()
}
