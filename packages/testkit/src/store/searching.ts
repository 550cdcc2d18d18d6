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

/** What a test searches for: a text as people type it, or terms; on main unless told. */
export type Search = Partial<Omit<SearchQuery, 'text'>> & {
  readonly text?: string | TextQuery
  readonly branch?: Branch
}

/** An item with that name and these texts to be found by. */
export function found(id: string, name: string, ...texts: readonly string[]): EntityWrite {
  return anEntity({ id, search: given(name, ...texts) })
}

/** A document of a name and some texts. */
export function given(name: string, ...texts: readonly string[]): SearchDocument {
  return aDocument({ name, passages: texts.map((text, index) => ({ path: `fields.text${index}`, text })) })
}

/** One page of a search of all items that anyone may see, archived ones left out, counted. */
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

/** The ids of what a text finds, best first. */
export async function seek(store: Pick<Store, 'entities'>, text: string, query: Search = {}) {
  return idsOf(await searchPage(store, { ...query, text }))
}

/** A page may be empty and still go on, but so many never: a cursor that stands still would never let a timer end the test. */
const MOST_PAGES = 10_000

/** All pages of a search one after the other; `between` runs after each. */
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
  throw new Error('The cursor does not come to an end.')
}
