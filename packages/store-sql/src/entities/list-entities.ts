import type { EntityPage, EntityQuery } from '@quire/core/ports'
import type { Place } from '../lines.ts'
import { completeQuery } from '../query/complete-path.ts'
import { type Plan, sortedPath, walkedBySort } from '../query/drive.ts'
import { type ListParts, countQuery, pageQuery, planList } from '../query/list-query.ts'
import type { HeadSet, PathMemo } from '../query/path-memo.ts'
import type { Arm } from '../query/source.ts'
import { cursorValues } from '../query/sort.ts'
import type { Session } from '../session.ts'
import { decodePresented, PRESENTED_WIDTH } from './head-row.ts'
import type { ListRow, Lists } from './read-statements.ts'

/** A page of heads through the overlay and the reader's rights, with the count when it is asked for. */
export async function listEntities(
  lists: Lists,
  session: Session,
  { place, query }: { place: Place; query: EntityQuery },
): Promise<EntityPage> {
  const plan = planList(query)
  const arms = armsOf(place)
  if (!plan || arms.length === 0) return query.count ? { entities: [], count: 0 } : { entities: [] }
  const parts: ListParts = { query, plan, arms }
  const ordered = { ...parts, plan: await orderedPlan(lists, session.memo, parts) }
  const rows = await lists.pages.all(pageQuery(lists.language, lists.page, ordered))
  const shown = rows.slice(0, query.limit)
  const more = rows.length > query.limit ? shown.at(-1) : undefined
  return {
    entities: shown.map((row) => decodePresented(row, session.lines)),
    ...(query.count && { count: wholeCount(query, rows.length) ?? (await countAll(lists, session, parts)) }),
    ...(more && { next: { values: cursorValues(query.sort, keysOf(more)), id: more[2] } }),
  }
}

/** The package's own heads, then main's without those it overrides. */
function armsOf({ own, main }: Place): readonly Arm[] {
  const arms: Arm[] = []
  if (own !== null) arms.push({ line: own, hiddenBy: null })
  if (main !== null) arms.push({ line: main, hiddenBy: own })
  return arms
}

/** Walks the values of the path that the list is sorted by, where none of the heads would be missed. */
async function orderedPlan(
  lists: Lists,
  memo: PathMemo | undefined,
  { query, plan, arms }: ListParts,
): Promise<Plan> {
  const path = sortedPath(query, plan)
  if (!memo || path === null) return plan
  for (const { line } of arms) {
    if (!(await isComplete(lists, memo, { line, kind: query.kind, types: plan.types, path }))) return plan
  }
  return walkedBySort(query, plan, path)
}

async function isComplete(
  lists: Lists,
  memo: PathMemo,
  { path, ...set }: HeadSet & { path: string },
): Promise<boolean> {
  const known = memo.recall(set, path)
  if (known !== undefined) return known
  const before = memo.changes()
  const [row] = await lists.numbers.all(completeQuery(lists.language, set, path))
  const complete = row?.[0] === 1
  if (memo.changes() === before) memo.keep(set, path, complete)
  return complete
}

/** The count that the page itself tells: it is the first and holds everything. */
function wholeCount(query: EntityQuery, found: number): number | undefined {
  const isFirst = !query.after && !query.offset
  return isFirst && found <= query.limit ? found : undefined
}

async function countAll(lists: Lists, { counts }: Session, parts: ListParts): Promise<number> {
  const query = countQuery(lists.language, parts)
  const count = async () => {
    const [row] = await lists.numbers.all(query)
    return row?.[0] ?? 0
  }
  return counts ? counts.get(query, count) : count()
}

function keysOf(row: ListRow) {
  return row.slice(PRESENTED_WIDTH)
}
