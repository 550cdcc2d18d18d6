import {
  textQueryOf,
  type EntityWrite,
  type Branch,
  type StoredJson,
  type SearchDocument,
  type SearchPage,
  type SearchQuery,
  type Store,
  type TextQuery,
} from '@quire/core/ports'
import { aDocument, anEntity } from '../entity.ts'
import { idsOf, main } from './fixture.ts'

/** The search of a test: a text as people type it, or terms; by default on main. */
export type Search = Partial<Omit<SearchQuery, 'text'>> & {
  readonly text?: string | TextQuery
  readonly branch?: Branch
}

/** An item with a document of this name and these texts. */
export function found(id: string, name: string, ...texts: readonly string[]): EntityWrite {
  return anEntity({ id, search: given(name, ...texts) })
}

/** A document of a name and some texts. */
export function given(name: string, ...texts: readonly string[]): SearchDocument {
  return aDocument({ name, passages: texts.map((text, index) => ({ path: `fields.text${index}`, text })) })
}

/** One page of a search of all items that anyone may see, without archived ones, counted. */
export async function searchPage(
  store: Pick<Store, 'entities'>,
  { text = '', branch = main, ...query }: Search,
): Promise<SearchPage> {
  return store.entities.search(branch, {
    kind: 'item',
    reader: { types: 'all', roles: 'all' },
    archived: false,
    limit: 1000,
    count: true,
    text: typeof text === 'string' ? textQueryOf(text) : text,
    ...query,
  })
}

/** The ids that a text finds, best first. */
export async function seek(store: Pick<Store, 'entities'>, text: string, query: Search = {}) {
  return idsOf(await searchPage(store, { ...query, text }))
}

/**
 * More pages than any test has, although pages may be empty. Without a limit, a cursor that does
 * not advance would block the test's timeout.
 */
const MOST_PAGES = 10_000

/** All pages of a search; `between` runs after each page. */
export async function walkSearch(
  store: Pick<Store, 'entities'>,
  query: Search,
  between: () => Promise<void> = async () => {},
): Promise<readonly StoredJson[]> {
  const entities: StoredJson[] = []
  let after: SearchPage['next']
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await searchPage(store, { ...query, ...(after && { after }) })
    entities.push(...page.entities)
    if (!page.next) return entities
    after = page.next
    await between()
  }
  throw new Error('The cursor does not end.')
}
