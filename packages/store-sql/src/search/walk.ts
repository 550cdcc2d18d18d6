import type { SearchCursor, SearchQuery, TextQuery, TextTerm } from '@quire/core/ports'
import { JSON_WIDTH } from '../entities/head-row.ts'
import type { CountedRow, Lists } from '../entities/read-statements.ts'
import { type SearchParts, foundQuery, rowsQuery } from './matches-query.ts'
import { type Sought, tierOf, tiersOf } from './sought.ts'
import { scopeOf } from './tokens.ts'

/** A search in progress. */
export interface Search {
  readonly lists: Lists
  readonly query: SearchQuery
  readonly parts: SearchParts
  /** Whether there are many documents (see `holdsMany`). */
  readonly isLarge: boolean
}

/**
 * Index rows that one page reads at most, some 40 ms when nearly none of them passes. At twice,
 * such a page delays others for twice as long; at half, a search whose matches are hidden from the
 * reader takes twice as many pages.
 */
export const MOST_ROWS = 20_000

/**
 * Index rows to read for each row that the page still lacks: `first` is the initial factor, `step`
 * multiplies it whenever that was not enough.
 */
const wider = { first: 2, step: 8 }

/** Reads of more rows than this, some 4 ms, run where they do not delay other reads. */
const MANY_ROWS = 2_000

/** The rows found, and where the search continues. */
export interface Walked {
  readonly found: readonly WalkedPage[]
  readonly next?: SearchCursor
}

interface WalkedPage {
  readonly tier: number
  readonly row: CountedRow
}

/** Walks one tier after the other, until the page is full or its row budget is used up. */
export async function walk(search: Search): Promise<Walked> {
  const { after, text, limit } = search.query
  const page: Page = { found: [], rowsLeft: MOST_ROWS }
  for (const tier of tiersOf(text)) {
    if (after && tier < after.tier) continue
    const row = after?.tier === tier ? after.row : Number.MAX_SAFE_INTEGER
    const stopped = await walkTier(search, page, { tier, row })
    const found = page.found.slice(0, limit)
    const last = found.at(-1)
    if (last && page.found.length > limit) return { found, next: { tier: last.tier, row: positionOf(last) } }
    if (stopped) return { found, next: stopped }
  }
  return { found: page.found }
}

function positionOf({ row }: WalkedPage): number {
  return row[JSON_WIDTH]
}

interface Page {
  readonly found: WalkedPage[]
  rowsLeft: number
}

/**
 * Walks one tier from a row on. Returns where it stopped if the row budget ran out before the end
 * of the tier, else null.
 */
async function walkTier(
  search: Search,
  page: Page,
  { tier, row }: SearchCursor,
): Promise<SearchCursor | null> {
  const { lists, query, parts, isLarge } = search
  const { language } = lists
  const sought = soughtBy(search, (tokenScope) => tierOf(tokenScope, query.text, tier))
  let below = row
  for (let width = wider.first; ; width *= wider.step) {
    const lacking = query.limit + 1 - page.found.length
    const limit = Math.min(lacking * width, page.rowsLeft)
    const runs = limit > MANY_ROWS || (isLarge && isCostly(query.text, tier)) ? lists.wide : lists
    const rows = await runs.rows.all(rowsQuery(language, { sought, below, limit }))
    const last = rows.at(-1)
    if (!last) return null
    const candidates = { rows: rows.map(([at]) => at), limit: lacking, parts }
    const passing = await runs.found.all(foundQuery(language, lists.page, candidates))
    page.found.push(...passing.map((one) => ({ tier, row: one })))
    page.rowsLeft -= rows.length
    if (passing.length === lacking || rows.length < limit) return null
    below = last[0]
    if (page.rowsLeft === 0) return { tier, row: below }
  }
}

/**
 * From this number of letters on, few words have a prefix. Prefixes of four letters cost 40 ns a
 * match, and names have hardly any.
 */
const RARE_BEGINNING = 4

/**
 * Whether a tier may walk many rows before it finds one: it collects all rows of a prefix, or
 * intersects several words. Prefixes in names do not matter when they are rare.
 */
function isCostly({ terms }: TextQuery, tier: number): boolean {
  if (terms.length > 1 || terms.some(({ words }) => words.length > 1)) return true
  const isShort = ({ words, prefix }: TextTerm) => prefix && (words.at(-1)?.length ?? 0) < RARE_BEGINNING
  return tier === 3 || (tier === 1 && terms.some(isShort))
}

/** Builds the condition for all branches of the search. */
export function soughtBy({ query, parts }: Search, make: (tokenScope: string) => Sought): Sought {
  return { any: parts.arms.map(({ branch }) => make(scopeOf(branch, query.kind))) }
}
