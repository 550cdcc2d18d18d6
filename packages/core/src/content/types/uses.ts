import type { Entity, Branch, PageCursor, StoreReader } from '../../ports/index.ts'

/** Every branch that goes on: main of each repository, and each package that is not merged. */
export async function allBranches(store: StoreReader): Promise<Branch[]> {
  const repositories = await store.records.list('repository')
  const packages = await store.records.list('package')
  return [
    ...repositories.map(({ id }) => ({ repositoryId: id, packageId: null })),
    ...packages
      .filter(({ state }) => state !== 'merged' && state !== 'deleted')
      .map(({ id, repositoryId }) => ({ repositoryId, packageId: id })),
  ]
}

/** Whether any branch holds an item of the type. */
export async function hasItems(store: StoreReader, type: string): Promise<boolean> {
  for await (const _ of idsOfType(store, { type, pageSize: 1 })) return true
  return false
}

/** Every item of a type on every branch that holds a head of it, archived ones too; soft-deleted ones not. */
export async function* itemsOfType(
  store: StoreReader,
  { type }: { type: string },
): AsyncGenerator<{ branch: Branch; item: Entity }> {
  for await (const { branch, ids } of idsOfType(store, { type }))
    for (const item of await store.entities.getMany(branch, 'item', ids)) yield { branch, item }
}

/** The same by their ids, some of one branch at a time. */
export async function* idsOfType(
  store: StoreReader,
  { type, pageSize = 500 }: { type: string; pageSize?: number },
): AsyncGenerator<{ branch: Branch; ids: readonly string[] }> {
  for (const branch of await allBranches(store)) {
    let after: PageCursor | undefined
    do {
      const page = await store.entities.list(branch, {
        kind: 'item',
        reader: { types: [type], roles: 'all' },
        archived: true,
        sort: [],
        limit: pageSize,
        count: false,
        ...(after && { after }),
      })
      const own = page.entities.filter(({ packageId }) => packageId === branch.packageId)
      if (own.length > 0) yield { branch, ids: own.map(({ id }) => id) }
      after = page.next
    } while (after)
  }
}
