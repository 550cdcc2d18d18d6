import type { StoredJson } from '@quire/core/ports'
import { listText } from '../list-text.ts'
import { type ListParts, pageQuery } from '../query/list-query.ts'
import type { SqlValue } from '../driver.ts'
import type { Session } from '../session.ts'
import { decodeJsonRow, headOf, keysOf } from './head-row.ts'
import type { HeadCache } from './head-cache.ts'
import type { ListRow, Lists } from './read-statements.ts'

/** A head of a page, with its sort keys. */
export interface PageRow {
  readonly stored: StoredJson
  readonly keys: readonly SqlValue[]
}

/** The rows of a page that was read at once. */
export function decodeRows(rows: readonly ListRow[], { branches }: Session): PageRow[] {
  return rows.map((row) => ({ stored: decodeJsonRow(row, branches), keys: keysOf(row) }))
}

/**
 * A page whose heads come from the cache where they can: reading and decoding them takes longer than
 * finding them. Null if the page must be read at once after all, because one of them was written
 * meanwhile, or because it is longer than `mostText` characters.
 */
export async function cachedPage(
  { language, headColumn, headsOfPage, byNumbers }: Lists,
  { session, heads }: { readonly session: Session; readonly heads: HeadCache },
  parts: ListParts,
): Promise<PageRow[] | null> {
  const { mostText } = parts.query
  const before = heads.changes()
  const found = await headsOfPage.all(pageQuery(language, headColumn, parts))
  const known = new Map<number, StoredJson>()
  for (const [head] of found) {
    const stored = heads.get(head)
    if (stored) known.set(head, stored)
  }
  const missing = found.flatMap(([head]) => (known.has(head) ? [] : [head]))
  const read = missing.length === 0 ? [] : await byNumbers.all({ heads: listText(missing) }, mostText)
  const numbers = found.map(([head]) => head)
  if (heads.changedSince(before, numbers)) return null
  for (const row of read) {
    const stored = decodeJsonRow(row, session.branches)
    heads.put(row, stored)
    known.set(headOf(row), stored)
  }
  if (read.length < missing.length) return null
  return found.flatMap(([head, ...keys]) => {
    const stored = known.get(head)
    return stored ? [{ stored, keys }] : []
  })
}
