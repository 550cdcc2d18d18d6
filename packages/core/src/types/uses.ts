import type { Entity, Line, PageCursor, StoreReader } from '../ports/index.ts'

/** Every line that goes on: main of each repository, and each package that is not merged. */
export async function allLines(store: StoreReader): Promise<Line[]> {
  const repositories = await store.records.list('repository')
  const packages = await store.records.list('package')
  return [
    ...repositories.map(({ id }) => ({ repositoryId: id, packageId: null })),
    ...packages
      .filter(({ state }) => state !== 'merged' && state !== 'deleted')
      .map(({ id, repositoryId }) => ({ repositoryId, packageId: id })),
  ]
}

/** Whether any line holds an item of the type. */
export async function hasItems(store: StoreReader, type: string): Promise<boolean> {
  for await (const _ of itemsOfType(store, { type, pageSize: 1 })) return true
  return false
}

/** Every item of a type on every line that holds a head of it, archived ones too; soft-deleted ones not. */
export async function* itemsOfType(
  store: StoreReader,
  { type, pageSize = 500 }: { type: string; pageSize?: number },
): AsyncGenerator<{ line: Line; item: Entity }> {
  for (const line of await allLines(store)) {
    for await (const item of itemsOnLine(store, { line, type, pageSize })) {
      if (item.packageId === line.packageId) yield { line, item }
    }
  }
}

async function* itemsOnLine(
  store: StoreReader,
  { line, type, pageSize }: { line: Line; type: string; pageSize: number },
) {
  let after: PageCursor | undefined
  do {
    const page = await store.entities.list(line, {
      kind: 'item',
      reader: { types: [type], roles: 'all' },
      archived: true,
      sort: [],
      limit: pageSize,
      count: false,
      ...(after && { after }),
    })
    const ids = page.entities.map(({ id }) => id)
    yield* await store.entities.getMany(line, 'item', ids)
    after = page.next
  } while (after)
}
