import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type QuireOptions } from '@quire/core'
import { createMemoryStore, fixedClock, type FixedClock, seededIds } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { prepareMagazine } from '../api/delivery/magazine.ts'

/** The repository of the magazine. */
export const repo = 'magazine'

/**
 * An engine in memory with the magazine's types. It is deterministic to the byte: two engines that
 * get the same calls are equal.
 */
export interface MagazineEngine {
  readonly quire: Quire
  readonly store: Store
  readonly clock: FixedClock
  /** The engine's API, called as the system. */
  readonly api: Api
  /** Two folders on main. */
  readonly folders: readonly [string, string]
  /** A taxonomy on main, without categories. */
  readonly taxonomyId: string
  /** A site on main, with a section and a page. */
  readonly siteId: string
  readonly sectionId: string
}

/** The caller of all operations. */
export const caller = systemIdentity('branches')

/**
 * Opens an engine on an empty store, by default in memory. It has the magazine's content, pictures
 * with the fields of articles, a preset `hero` and a query `priced`.
 */
export async function openMagazine(
  options: Pick<QuireOptions, 'store' | 'blobs'> = { store: createMemoryStore() },
): Promise<MagazineEngine> {
  const { store } = options
  const clock = fixedClock()
  const quire = createQuire({ ...options, clock, ids: seededIds(1, clock) })
  const api = quire.as(caller)
  await prepareMagazine(api)
  const { fields } = await api.types.get({ id: 'article' })
  await api.types.create({ name: 'picture', settings: { isAsset: true }, fields })
  await api.renditionPresets.create({ configId: repo, name: 'hero', width: 100 })
  await api.savedQueries.create({
    configId: repo,
    name: 'priced',
    query: { text: 'article', filter: { 'fields.price': { gte: { $param: 'least' } } }, highlight: true },
    parameters: [{ name: 'least', kind: 'number' }],
  })
  const folder = async (name: string) => (await api.folders.create({ configId: repo, name })).id
  const folders = [await folder('Shelf 1'), await folder('Shelf 2')] as const
  const { id: taxonomyId } = await api.taxonomies.create({ configId: repo, name: 'Topics' })
  return { quire, store, clock, api, folders, taxonomyId, ...(await openSite(api)) }
}

async function openSite(api: Api): Promise<{ siteId: string; sectionId: string }> {
  const { id: siteId } = await api.sites.create({ configId: repo, name: 'Press', slug: 'press' })
  const { id: sectionId } = await api.sections.create({ configId: repo, siteId, name: 'Articles' })
  await api.pages.create({ configId: repo, siteId, sectionId, name: 'All of them' })
  return { siteId, sectionId }
}
