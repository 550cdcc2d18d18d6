import type { SearchCursor, SearchQuery, TextQuery, TextTerm } from '@quire/core/ports'
import { JSON_WIDTH } from '../entities/head-row.ts'
import type { CountedRow, Lists } from '../entities/read-statements.ts'
import { type SearchParts, foundQuery, rowsQuery } from './matches-query.ts'
import { type Sought, tierOf, tiersOf } from './sought.ts'
import { scopeOf } from './tokens.ts'

/** A search under way. */
export interface Search {
  readonly lists: Lists
  readonly query: SearchQuery
  readonly parts: SearchParts
  /** Whether there are many documents (see `holdsMany`). */
  readonly isLarge: boolean
}

/**
 * Rows of the index that one page looks at: some 40 ms where nearly none passes. At twice, such a page holds others up for twice as long; at
 * half, a search whose matches are hidden from the reader takes twice as many pages.
 */
export const MOST_ROWS = 20_000

/** Rows that are looked at for each that the page lacks: at first, and how many times as many whenever that was not enough. */
const wider = { first: 2, step: 8 }

/** From so many rows on they are looked at where long reads hold up nobody: some 4 ms. */
const MANY_ROWS = 2_000

/** What was found, with where the search goes on. */
export interface Walked {
  readonly found: readonly WalkedPage[]
  readonly next?: SearchCursor
}

interface WalkedPage {
  readonly tier: number
  readonly row: CountedRow
}

/** Tier after tier, until the page is full or its work is done. */
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

/** Looks at one tier from a place on. Answers where it stopped when the work of the page was done before the end of the tier. */
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
    const proxied = await runs.found.all(foundQuery(language, lists.page, candidates))
    page.found.push(...proxied.map((one) => ({ tier, row: one })))
    page.rowsLeft -= rows.length
    if (proxied.length === lacking || rows.length < limit) return null
    below = last[0]
    if (page.rowsLeft === 0) return { tier, row: below }
  }
}

/** Letters of a beginning from which on few words have it: four take 40 ns a match, of which a name has hardly one. */
const RARE_BEGINNING = 4

/**
 * Whether a tier may walk many rows before it finds one: to bring together all that begins so (of names it does not matter where these are
 * few), or to find several words together.
 */
function isCostly({ terms }: TextQuery, tier: number): boolean {
  if (terms.length > 1 || terms.some(({ words }) => words.length > 1)) return true
  const isShort = ({ words, prefix }: TextTerm) => prefix && (words.at(-1)?.length ?? 0) < RARE_BEGINNING
  return tier === 3 || (tier === 1 && terms.some(isShort))
}

/** What is sought on every branch that the search reads. */
export function soughtBy({ query, parts }: Search, make: (tokenScope: string) => Sought): Sought {
  return { any: parts.arms.map(({ branch }) => make(scopeOf(branch, query.kind))) }
}
