import { describe, expect } from 'vitest'
import { anEntity, nextVersion, ownHeadOf, takenInto } from '../entity.ts'
import { item, main, otherPackageLine, packageId, packageLine, write, type StoreTest } from './fixture.ts'

const kept = anEntity({ id: 'CONT_A', name: 'Kept', slug: 'kept' })
const before = anEntity({ id: 'CONT_B', name: 'Before', slug: 'before' })
const doomed = anEntity({ id: 'CONT_C', name: 'Doomed', slug: 'doomed' })
const after = takenInto(packageId, before, { name: 'After' })
const deleted = takenInto(packageId, doomed, { deletedDate: doomed.createdDate + 9 })
const created = anEntity({ id: 'CONT_D', packageId, name: 'Created', slug: 'created' })

/** The laws of what a package's line holds itself, and of what it rests on. */
export function packageLaws(test: StoreTest): void {
  describe('a package', () => {
    test('lists what exactly it holds, of every kind, deleted ones too, by kind and id', async ({
      store,
    }) => {
      await write(store, kept, before, doomed)
      await write(store, after, deleted, created)
      const folder = anEntity({ id: 'FOLD_A', kind: 'folder', packageId })
      await write(store, folder)
      const heads = await store.entities.ownHeads(packageLine, { limit: 9 })
      expect(heads).toEqual([folder, after, deleted, created].map(ownHeadOf))
      const next = await store.entities.ownHeads(packageLine, { after: item('CONT_B'), limit: 1 })
      expect(next).toEqual([ownHeadOf(deleted)])
      expect(await store.entities.ownHeads(packageLine, { after: item('CONT_D'), limit: 9 })).toEqual([])
      expect(await store.entities.ownHeads(otherPackageLine, { limit: 9 })).toEqual([])
      expect(await store.entities.ownHeads(main, { limit: 1 })).toEqual([ownHeadOf(kept)])
    })

    test('keeps the marks that it started from', async ({ store }) => {
      const marked = { publishedVersion: 1, archived: true, deletedDate: kept.createdDate }
      const taken = takenInto(packageId, { ...kept, ...marked }, { deletedDate: null })
      await write(store, kept, taken)
      const base = { version: 1, publishedVersion: 1, archived: true, deleted: true }
      expect((await store.entities.get(packageLine, 'item', 'CONT_A'))?.base).toEqual(base)
      await write(store, nextVersion(taken, { base: { ...base, version: 7, publishedVersion: null } }))
      const brought = await store.entities.get(packageLine, 'item', 'CONT_A')
      expect(brought?.base).toEqual({ ...base, version: 7, publishedVersion: null })
    })

    test('keeps main from forgetting what it started from', async ({ store }) => {
      const second = nextVersion(kept, { publishedVersion: 1 })
      const third = nextVersion(second)
      const fourth = nextVersion(third)
      const taken = takenInto(packageId, second)
      await write(store, kept, second, taken, third, fourth)
      const forget = () =>
        store.transaction((tx) => tx.entities.forgetVersions(main, item('CONT_A'), { before: 4, keep: null }))
      const numbers = async () => {
        const versions = await store.entities.versions(main, item('CONT_A'), { limit: 9 })
        return versions.map(({ version }) => version)
      }
      await forget()
      expect(await numbers()).toEqual([4, 2, 1])
      await store.transaction((tx) => tx.entities.purge(packageLine, item('CONT_A')))
      await forget()
      expect(await numbers()).toEqual([4])
      const fifth = nextVersion(fourth)
      const base = { version: 5, publishedVersion: null, archived: false, deleted: false }
      await write(store, takenInto(packageId, fourth, { publishedVersion: -4, base }), fifth)
      const late = { before: 5, keep: null }
      await store.transaction((tx) => tx.entities.forgetVersions(main, item('CONT_A'), late))
      expect(await numbers()).toEqual([5, 4])
    })
  })
}
