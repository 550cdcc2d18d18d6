import { type SearchPage, type SearchQuery, type TextQuery, mostCounted } from '@quire/core/ports'
import { decodePresented } from '../entities/head-row.ts'
import type { Lists } from '../entities/read-statements.ts'
import type { Place } from '../lines.ts'
import { planList } from '../query/list-query.ts'
import { armsOf } from '../query/source.ts'
import type { Session } from '../session.ts'
import { foundCount, rowsCount } from './found-query.ts'
import { type Sought, anywhere, named, tiersOf, whole } from './sought.ts'
import { holdsMany } from './holds-many.ts'
import { MOST_ROWS, type Search, soughtBy, walk } from './walk.ts'

/** A page of heads that match words, best first, through the overlay and the reader's rights. */
export async function searchEntities(
  lists: Lists,
  session: Session,
  { place, query }: { place: Place; query: SearchQuery },
): Promise<SearchPage> {
  const asked = { ...query, sort: [] }
  const plan = planList(asked)
  const arms = armsOf(place)
  if (!plan || arms.length === 0 || query.text.terms.length === 0) return nothing(query)
  const isLarge = await holdsMany(lists, session, arms)
  const search: Search = { lists, query, parts: { query: asked, plan, arms }, isLarge }
  const { found, next } = await walk(search)
  const isAll = !query.after && !next
  return {
    entities: found.map(({ row }) => decodePresented(row, session.lines)),
    ...(query.count && (isAll ? { count: found.length, isCapped: false } : await countFound(search))),
    ...(next && { next }),
  }
}

function nothing({ count }: SearchQuery): SearchPage {
  return count ? { entities: [], count: 0, isCapped: false } : { entities: [] }
}

/**
 * Looks at no more rows than a page does: there may be more matches behind them. Where whole words or the names alone give as many as
 * are counted, the rows of all that begins with a word need not be brought together.
 */
async function countFound(search: Search): Promise<{ count: number; isCapped: boolean }> {
  const { lists, query, parts, isLarge } = search
  const { numbers } = isLarge ? lists.wide : lists
  let count = 0
  for (const way of tiersOf(query.text).length > 2 ? [whole, named, anywhere] : [anywhere]) {
    const counted = { sought: soughtFor(search, way), rows: MOST_ROWS, most: mostCounted + 1 }
    const [[found] = [0]] = await numbers.all(foundCount(lists.language, parts, counted))
    if (found > mostCounted) return { count: mostCounted, isCapped: true }
    const [[rows] = [0]] = await numbers.all(rowsCount(lists.language, counted.sought, MOST_ROWS + 1))
    if (rows > MOST_ROWS) return { count: found, isCapped: true }
    count = found
  }
  return { count, isCapped: false }
}

function soughtFor(search: Search, way: (scope: string, text: TextQuery) => Sought): Sought {
  return soughtBy(search, (scope) => way(scope, search.query.text))
}
