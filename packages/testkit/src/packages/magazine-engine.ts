import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { prepareMagazine } from '../api/magazine.ts'
import { fixedClock, type FixedClock } from '../clock.ts'
import { anEntity } from '../entity.ts'
import { seededIds } from '../ids.ts'

/** The repository that everything is in. */
export const repo = 'magazine'

/** Folders on main that items can be moved to: no operation makes them yet. */
export const folders = ['FOLD_01JXSC6G000000000000000001', 'FOLD_01JXSC6G000000000000000002'] as const

/** An engine in memory with the magazine's types, deterministic to the byte: two of them given the same calls are the same. */
export interface MagazineEngine {
  readonly quire: Quire
  readonly store: Store
  readonly clock: FixedClock
  /** The engine's API as the system. */
  readonly api: Api
}

/** Who calls. */
export const caller = systemIdentity('branches')

/** Opens an engine on an empty store with the magazine in it, pictures with the fields of articles, and a preset `hero`. */
export async function openMagazine(): Promise<MagazineEngine> {
  const clock = fixedClock()
  const store = createMemoryStore()
  const quire = createQuire({ store, clock, ids: seededIds(1, clock) })
  const api = quire.as(caller)
  await prepareMagazine(api)
  const { fields } = await api.types.get({ id: 'article' })
  await api.types.create({ name: 'picture', settings: { isAsset: true }, fields })
  await api.renditionPresets.create({ configId: repo, name: 'hero', width: 100 })
  const { id: repositoryId } = await api.repositories.get({ id: repo })
  await store.transaction(async (tx) => {
    for (const id of folders)
      await tx.entities.put(anEntity({ kind: 'folder', type: 'folder', id, repositoryId, name: id }), 0)
  })
  return { quire, store, clock, api }
}
