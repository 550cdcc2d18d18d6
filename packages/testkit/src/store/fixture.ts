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

/** An empty store for one test. */
export interface OpenedStore {
  readonly store: Store
  /**
   * Closes the store and opens it again on its data, as a new process would. Only durable stores
   * have it.
   */
  readonly reopen?: () => Promise<Store>
  /**
   * Opens the data a second time, as another process would. The caller has to close it. Only stores
   * that several processes share have it.
   */
  readonly openAnother?: () => Promise<Store>
  /** Removes everything. The store may be closed already. */
  readonly dispose: () => Promise<void>
}

/** Opens an empty store for one test. */
export type OpenStore = () => Promise<OpenedStore>

interface StoreFixtures {
  readonly opened: OpenedStore
  readonly store: Store
  readonly reopen: () => Promise<Store>
  /** The store, and another one on the same data; the same one twice if only one can be open. */
  readonly both: readonly [Store, Store]
}

/**
 * Vitest's `it`, with a separate store for each test, and `reopen` to continue with the stored
 * data.
 */
export function storeTest(open: OpenStore) {
  return it.extend<StoreFixtures>({
    opened: async ({ task: _task }, use) => {
      const opened = await open()
      await use(opened)
      await opened.dispose()
    },
    store: async ({ opened }, use) => use(opened.store),
    reopen: async ({ opened }, use) => use(reopenOf(opened)),
    both: async ({ opened: { store, openAnother } }, use) => {
      const other = await openAnother?.()
      await use([store, other ?? store])
      await other?.close()
    },
  })
}

/** The function that declares tests of a store. */
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

/** The item with this id. */
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

/** The members of a list query that a test sets. The text is as people type it. */
export type Listing = Partial<Omit<EntityQuery, 'text'>> & { readonly text?: string }

/** A query for all items that anyone may see, ordered by id, without archived ones, counted. */
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

/**
 * More than any test holds. Without a limit, a cursor that does not advance would block the test's
 * timeout.
 */
const WALK_LIMIT = 10_000

/** All pages of a query, by cursor; `between` runs after each page. */
export async function walk(
  store: Store,
  { branch = main, ...query }: Listing & { branch?: Branch },
  between: (page: EntityPage) => Promise<void> = async () => {},
): Promise<readonly StoredJson[]> {
  const entities: StoredJson[] = []
  let page = await store.entities.list(branch, aQuery(query))
  entities.push(...page.entities)
  while (page.next) {
    if (entities.length > WALK_LIMIT) throw new Error('The cursor does not end.')
    await between(page)
    page = await store.entities.list(branch, aQuery({ ...query, after: page.next }))
    entities.push(...page.entities)
  }
  return entities
}

/** The error that a promise rejects with; undefined when it resolves. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}
