import type { Api } from '@quire/contract'

/** What the package does to an item of main; `none` when it leaves it alone. */
export type ChangeKind = 'update' | 'create' | 'delete' | 'none'

/** The items of a seeded folder by id. */
export type SeededItems = ReadonlyMap<string, ChangeKind>

/** Where everything is, and the package that is merged. */
export const repository = 'merges'
export const packageName = 'large'

const type = 'note'
// Some hundred bytes: what 5 000 changes write is more than SQLite keeps in memory, so that half a merge reaches the disk, too.
const body = 'Oak galls, iron, gum and patience make an ink that a thousand years do not fade. '.repeat(8)
// Calls at once: they share a commit.
const atOnce = 64

/**
 * Items on main that say `before`, and a package of `size` changes: of ten, eight updates that say `after`, one create that says so,
 * and one delete. Beside them main has items that the package leaves alone.
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

/** Every item has a name of its own, in which no mark occurs. */
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
