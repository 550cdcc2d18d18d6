import type { Api } from '@quire/contract'

/** What the package does to an item on main; `none` if it does not contain the item. */
export type ChangeKind = 'update' | 'create' | 'delete' | 'none'

/** The items of a seeded folder by id. */
export type SeededItems = ReadonlyMap<string, ChangeKind>

/** The repository of all content, and the package that is merged. */
export const repository = 'merges'
export const packageName = 'large'

const type = 'note'
// Some hundred bytes. 5 000 changes exceed SQLite's memory, so that a partial merge reaches the
// disk, too.
const body = 'Oak galls, iron, gum and patience make an ink that a thousand years do not fade. '.repeat(8)
// Concurrent calls, which share a commit.
const atOnce = 64

/**
 * Creates items on main with the mark `before`, and a package with `size` changes. Of ten changes,
 * eight set the mark `after`, one creates an item with it, and one deletes an item. Main also has
 * items that the package does not change.
 */
export async function seedContent(api: Api, size: number): Promise<SeededItems> {
  await preparePackage(api)
  const tenth = Math.max(1, Math.floor(size / 10))
  const make = itemMaker(api)
  const updated = await make(size - 2 * tenth, { mark: 'before' })
  const deleted = await make(tenth, { mark: 'before' })
  const untouched = await make(tenth, { mark: 'before' })
  const created = await make(tenth, { mark: 'after', packageName })
  const location = { configId: repository, packageName }
  await inRounds(updated, (id) => api.items.update({ ...location, id, fields: { mark: 'after' } }))
  await inRounds(deleted, (id) => api.items.delete({ ...location, id }))
  const of = (kind: ChangeKind, ids: readonly string[]) => ids.map((id) => [id, kind] as const)
  return new Map([
    ...of('update', updated),
    ...of('delete', deleted),
    ...of('create', created),
    ...of('none', untouched),
  ])
}

async function preparePackage(api: Api): Promise<void> {
  await api.repositories.create({ name: repository })
  await api.types.create({
    name: type,
    fields: [
      { name: 'mark', kind: 'text' },
      { name: 'body', kind: 'text' },
    ],
  })
  await api.packages.create({ repo: repository, name: packageName })
}

type MakeItems = (count: number, as: { mark: string; packageName?: string }) => Promise<string[]>

/** Every item has a unique name that contains no mark. */
function itemMaker(api: Api): MakeItems {
  let made = 0
  return async (count, { mark, ...location }) => {
    const items = await inRounds(Array.from({ length: count }), () =>
      api.items.create({
        repositoryId: repository,
        type,
        name: `Note ${++made}`,
        fields: { mark, body },
        ...location,
      }),
    )
    return items.map(({ id }) => id)
  }
}

async function inRounds<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < all.length; start += atOnce)
    results.push(...(await Promise.all(all.slice(start, start + atOnce).map(act))))
  return results
}
