import type { EntityPage, EntityQuery } from '@quire/core/ports'
import type { LineNames, Place } from '../lines.ts'
import { type ListParts, countQuery, pageQuery, planList } from '../query/list-query.ts'
import type { Arm } from '../query/source.ts'
import { cursorValues } from '../query/sort.ts'
import { HEAD_WIDTH } from './head-row.ts'
import type { ListRow, Lists } from './read-statements.ts'

/** A page of heads through the overlay and the reader's rights, with the count when it is asked for. */
export async function listEntities(
  lists: Lists,
  lines: LineNames,
  { place, query }: { place: Place; query: EntityQuery },
): Promise<EntityPage> {
  const plan = planList(query)
  const arms = armsOf(place)
  if (!plan || arms.length === 0) return query.count ? { entities: [], count: 0 } : { entities: [] }
  const parts: ListParts = { query, plan, arms }
  const rows = await lists.pages.all(pageQuery(lists.language, lists.page, parts))
  const shown = rows.slice(0, query.limit)
  const more = rows.length > query.limit ? shown.at(-1) : undefined
  return {
    entities: shown.map((row) => lists.decoder.entity(lines, row)),
    ...(query.count ? { count: wholeCount(query, rows.length) ?? (await countAll(lists, parts)) } : {}),
    ...(more ? { next: { values: cursorValues(query.sort, keysOf(more)), id: more[2] } } : {}),
  }
}

/** The package's own heads, then main's without those it overrides. */
function armsOf({ own, main }: Place): readonly Arm[] {
  const arms: Arm[] = []
  if (own !== null) arms.push({ line: own, hiddenBy: null })
  if (main !== null) arms.push({ line: main, hiddenBy: own })
  return arms
}

/** The count that the page itself tells: it is the first and holds everything. */
function wholeCount(query: EntityQuery, found: number): number | undefined {
  const isFirst = !query.after && !query.offset
  return isFirst && found <= query.limit ? found : undefined
}

async function countAll(lists: Lists, parts: ListParts): Promise<number> {
  const [row] = await lists.counts.all(countQuery(lists.language, parts))
  return row?.[0] ?? 0
}

function keysOf(row: ListRow) {
  return row.slice(HEAD_WIDTH)
}
