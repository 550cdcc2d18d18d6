import type { EntityKind, Passage, SearchDocument } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import type { Scope } from '../branches.ts'

/** The id of a head on a branch, with its document; nulls for a head without one. */
type DocumentRow = readonly [
  id: string,
  name: string | null,
  passages: string | null,
  categories: string | null,
  file: string | null,
]

export type DocumentReads = ReturnType<typeof prepareDocumentReads>

export function prepareDocumentReads(driver: SqlDriver, { anyOf, tables }: Dialect) {
  const { heads, searchDocuments: stored } = tables
  const held = sql`${heads.branch} = ${sql.placeholder('branch')} AND ${heads.kind} = ${sql.placeholder('kind')}`
  return {
    documents: driver.prepare<DocumentRow>(
      sql`SELECT ${heads.id}, ${stored.name}, ${stored.passages}, ${stored.categories}, ${stored.file} FROM ${heads} LEFT JOIN ${stored} ON ${stored.head} = ${heads.head} WHERE ${held} AND ${anyOf(heads.id, sql.placeholder('ids'))}`,
    ),
  }
}

/**
 * The documents of entities as a branch shows them. The branch's own heads hide those of main, even
 * where they have no document.
 */
export async function findDocuments(
  { documents }: DocumentReads,
  { own, main }: Scope,
  { kind, ids }: { kind: EntityKind; ids: readonly string[] },
): Promise<ReadonlyMap<string, SearchDocument>> {
  const read = (branch: number, among: readonly string[]) =>
    documents.all({ branch, kind, ids: listText(among) })
  const owned = own === null ? [] : await read(own, ids)
  const hidden = new Set(owned.map(([id]) => id))
  const rest = ids.filter((id) => !hidden.has(id))
  const visible = main === null || rest.length === 0 ? [] : await read(main, rest)
  return new Map([...owned, ...visible].flatMap(entryOf))
}

function entryOf([id, name, passages, categories, file]: DocumentRow): [string, SearchDocument][] {
  if (name === null || passages === null || categories === null) return []
  return [[id, { name, ...parsePassages(passages), categories: parseIds(categories), file }]]
}

type PassagesInLocales = Pick<SearchDocument, 'passages' | 'locales'>

/** Passages as they are stored, with the locales of the document if it has some. */
export function passagesText({ passages, locales }: PassagesInLocales): string {
  return JSON.stringify(locales ? { passages, locales } : passages)
}

/** Parses stored passages. */
export function parsePassages(text: string): PassagesInLocales {
  const stored: readonly Passage[] | PassagesInLocales = JSON.parse(text)
  return 'passages' in stored ? stored : { passages: stored }
}

/** Parses stored ids of categories. */
export function parseIds(text: string): readonly string[] {
  const ids: readonly string[] = JSON.parse(text)
  return ids
}
