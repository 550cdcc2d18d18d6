import {
  textQueryOf,
  type EntityPage,
  type EntityQuery,
  type EntityRef,
  type EntityWrite,
  type Branch,
  type StoredJson,
  type SearchPage,
  type Store,
  type Transaction,
} from '@quire/core/ports'
import { it } from 'vitest'
import { testRepository } from '../entity.ts'

/** A store made for one test, empty. */
export interface OpenedStore {
  readonly store: Store
  /** Closes the store that is open and opens what it kept, as a new process would. Only durable stores have it. */
  readonly reopen?: () => Promise<Store>
  /** Removes everything. The store may be closed already. */
  readonly dispose: () => Promise<void>
}

/** Makes an empty store for one test. */
export type OpenStore = () => Promise<OpenedStore>

/** Vitest's `it` with a store of its own for each test, and `reopen` to go on with what the store kept. */
export function storeTest(open: OpenStore) {
  return it
    .extend('opened', async ({ task: _task }, { onCleanup }) => {
      const opened = await open()
      onCleanup(opened.dispose)
      return opened
    })
    .extend('store', ({ opened }) => opened.store)
    .extend('reopen', ({ opened }) => reopenOf(opened))
}

/** What declares the tests of a store. */
export type StoreTest = ReturnType<typeof storeTest>

function reopenOf({ reopen }: OpenedStore): () => Promise<Store> {
  return reopen ?? (() => Promise.reject(new Error('restartSuite needs a store with `reopen`.')))
}

/** The main branch of the test repository. */
export const main: Branch = { repositoryId: testRepository, packageId: null }

/** The branch of one package of the test repository. */
export const packageBranch: Branch = {
  repositoryId: testRepository,
  packageId: 'PACK_01JXSC6G0000000000000SPRING',
}

/** The id of that package. */
export const packageId = 'PACK_01JXSC6G0000000000000SPRING'

/** The branch of another package. */
export const otherPackageBranch: Branch = {
  repositoryId: testRepository,
  packageId: 'PACK_01JXSC6G0000000000000AUTUMN',
}

/** The item of that id. */
export function item(id: string): EntityRef {
  return { kind: 'item', id }
}

/** Puts entities in one transaction, each expecting the revision before its own. */
export function write(store: Store, ...entities: readonly EntityWrite[]): Promise<void> {
  return store.transaction((tx) => writeIn(tx, ...entities))
}

/** Puts entities, each expecting the revision before its own. */
export async function writeIn(tx: Transaction, ...entities: readonly EntityWrite[]): Promise<void> {
  for (const entity of entities) await tx.entities.put(entity, entity.revision - 1)
}

/** What a test asks a list for; its text is as people type it. */
export type Listing = Partial<Omit<EntityQuery, 'text'>> & { readonly text?: string }

/** A query for all items by id that anyone may see, archived ones left out, counted. */
export function aQuery({ text, ...overrides }: Listing = {}): EntityQuery {
  return {
    kind: 'item',
    reader: { types: 'all', roles: 'all' },
    archived: false,
    sort: [],
    limit: 1000,
    count: true,
    ...(text !== undefined && { text: textQueryOf(text) }),
    ...overrides,
  }
}

/** The ids of a page, in order. */
export function idsOf(page: EntityPage | SearchPage | readonly Pick<StoredJson, 'id'>[]): readonly string[] {
  const entities = 'entities' in page ? page.entities : page
  return entities.map(({ id }) => id)
}

/** The ids that a query finds on main, in order. */
export async function find(store: Store, query: Listing): Promise<readonly string[]> {
  return idsOf(await store.entities.list(main, aQuery(query)))
}

/** Above what any test holds: a cursor that stands still would never let a timer end the test. */
const WALK_LIMIT = 10_000

/** All pages of a query one after the other, by cursor; `between` runs after each. */
export async function walk(
  store: Store,
  { branch = main, ...query }: Listing & { branch?: Branch },
  between: (page: EntityPage) => Promise<void> = async () => {},
): Promise<readonly StoredJson[]> {
  const entities: StoredJson[] = []
  let page = await store.entities.list(branch, aQuery(query))
  entities.push(...page.entities)
  while (page.next) {
    if (entities.length > WALK_LIMIT) throw new Error('The cursor does not come to an end.')
    await between(page)
    page = await store.entities.list(branch, aQuery({ ...query, after: page.next }))
    entities.push(...page.entities)
  }
  return entities
}

/** What a promise is refused with; undefined when it is not. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}
