import {
  type SearchCursor,
  type SearchPage,
  type SearchQuery,
  type TextQuery,
  mostCounted,
} from '@quire/core/ports'
import { decodeJsonRow } from '../entities/head-row.ts'
import type { Lists } from '../entities/read-statements.ts'
import type { Scope } from '../branches.ts'
import { planList } from '../query/list-query.ts'
import { armsOf } from '../query/source.ts'
import type { Session } from '../session.ts'
import { foundCount } from './matches-query.ts'
import { type Sought, anywhere, named, tiersOf, whole } from './sought.ts'
import { holdsMany } from './holds-many.ts'
import { MOST_ROWS, type Search, soughtBy, walk } from './walk.ts'

/**
 * A page of heads that match the words, best first, with the branch's overlay and the reader's
 * permissions applied.
 */
export async function searchEntities(
  lists: Lists,
  session: Session,
  { scope, query }: { scope: Scope; query: SearchQuery },
): Promise<SearchPage> {
  const asked = { ...query, sort: [] }
  const plan = planList(asked)
  const arms = armsOf(scope)
  if (!plan || arms.length === 0 || query.text.terms.length === 0) return nothing(query)
  const isLarge = await holdsMany(lists, session, { arms, filter: query.filter, text: query.text })
  const search: Search = { lists, query, parts: { query: asked, plan, arms }, isLarge }
  const { found, next } = await walk(search)
  const isAll = !query.after && !next
  return {
    entities: found.map(({ row }) => decodeJsonRow(row, session.branches)),
    ...(query.count &&
      (isAll ? { count: found.length, isCapped: false } : await countFound(search, waysLeft(query, next)))),
    ...(next && { next }),
  }
}

function nothing({ count }: SearchQuery): SearchPage {
  return count ? { entities: [], count: 0, isCapped: false } : { entities: [] }
}

type Way = (tokenScope: string, text: TextQuery) => Sought

/**
 * The ways to count, cheapest first. If whole words, or names alone, already reach the maximum
 * count, the rows of all words with a prefix need not be collected. A page that went beyond the
 * names, or the whole words, has shown that these match few.
 */
function waysLeft({ text, after }: SearchQuery, next: SearchCursor | undefined): readonly Way[] {
  if (tiersOf(text).length <= 2) return [anywhere]
  const passedTier = after ? 0 : (next?.tier ?? 0)
  return [...(passedTier < 3 ? [whole] : []), ...(passedTier < 2 ? [named] : []), anywhere]
}

/** Reads no more rows than a page does; there may be more matches behind them. */
async function countFound(
  search: Search,
  ways: readonly Way[],
): Promise<{ count: number; isCapped: boolean }> {
  let count = 0
  for (const way of ways) {
    const { rows, found } = await counted(
      search,
      soughtBy(search, (tokenScope) => way(tokenScope, search.query.text)),
    )
    if (found > mostCounted) return { count: mostCounted, isCapped: true }
    if (rows > MOST_ROWS) return { count: found, isCapped: true }
    count = found
  }
  return { count, isCapped: false }
}

/** Rows that are read first. If nearly all of them pass, they already exceed the maximum count. */
const FIRST_ROWS = mostCounted + 500

async function counted(
  { lists, parts, isLarge }: Search,
  sought: Sought,
): Promise<{ rows: number; found: number }> {
  const runs = isLarge ? lists.wide : lists
  const within = async (most: number) => {
    const bounds = { sought, rows: most + 1, most: mostCounted + 1 }
    const [[rows, found] = [0, 0]] = await runs.counted.all(foundCount(lists.language, parts, bounds))
    return { rows, found }
  }
  const first = await within(FIRST_ROWS)
  return first.rows <= FIRST_ROWS || first.found > mostCounted ? first : within(MOST_ROWS)
}
