import { describe, expect } from 'vitest'
import { anEntity, nextVersion, ownHeadOf, inPackageOf, sameVersion, textOf } from '../entity.ts'
import {
  aQuery,
  idsOf,
  item,
  main,
  otherPackageBranch,
  packageId,
  packageBranch,
  write,
  type StoreTest,
} from './fixture.ts'

const stored = anEntity({ id: 'CONT_A', name: 'Kept', slug: 'kept' })
const before = anEntity({ id: 'CONT_B', name: 'Before', slug: 'before' })
const doomed = anEntity({ id: 'CONT_C', name: 'Doomed', slug: 'doomed' })
const after = inPackageOf(packageId, before, {
  name: 'After',
  slug: 'after',
  search: textOf('blueberry'),
  edges: [{ path: 'link', targetId: 'U', onDelete: 'restrict' }],
})
const deleted = inPackageOf(packageId, doomed, { deletedDate: doomed.createdDate + 9 })
const created = anEntity({ id: 'CONT_D', packageId, name: 'Created', slug: 'created' })

/** The heads of a package's own branch, and the versions that they are based on. */
export function packageLaws(test: StoreTest): void {
  describe('a package', () => {
    test('lists exactly its own heads, of every kind and including deleted ones, by kind and id', async ({
      store,
    }) => {
      await write(store, stored, before, doomed)
      await write(store, after, deleted, created)
      const folder = anEntity({ id: 'FOLD_A', kind: 'folder', packageId })
      await write(store, folder)
      const heads = await store.entities.ownHeads(packageBranch, { limit: 9 })
      expect(heads).toEqual([folder, after, deleted, created].map(ownHeadOf))
      const next = await store.entities.ownHeads(packageBranch, { after: item('CONT_B'), limit: 1 })
      expect(next).toEqual([ownHeadOf(deleted)])
      expect(await store.entities.ownHeads(packageBranch, { after: item('CONT_D'), limit: 9 })).toEqual([])
      expect(await store.entities.ownHeads(otherPackageBranch, { limit: 9 })).toEqual([])
      expect(await store.entities.ownHeads(main, { limit: 1 })).toEqual([ownHeadOf(stored)])
    })

    test('names main’s read roles on the package’s heads, even after main deleted the item', async ({
      store,
    }) => {
      await write(store, before, after, created)
      const roles = { read: ['ROLE_S'], write: [], delete: [] }
      const limited = sameVersion(before, { roles })
      const expectLimited = async (mainReaders: readonly string[] | undefined) => {
        const { entities } = store
        const own = await entities.ownHeads(packageBranch, { limit: 9 })
        const [source] = await entities.incoming(packageBranch, 'U', 9)
        const found = [
          await entities.get(packageBranch, 'item', 'CONT_B'),
          ...(await entities.getMany(packageBranch, 'item', ['CONT_B'])),
          await entities.getBySlug(packageBranch, { kind: 'item', slug: 'after' }),
          own.find(({ id }) => id === 'CONT_B'),
          source?.source,
        ]
        expect(found.map((head) => head?.mainReaders)).toEqual(Array.from({ length: 5 }, () => mainReaders))
        expect((await entities.get(packageBranch, 'item', 'CONT_D'))?.mainReaders).toBeUndefined()
        expect((await entities.get(main, 'item', 'CONT_B'))?.mainReaders).toBeUndefined()
        for (const [held, isFound] of [
          [[], mainReaders === undefined],
          [['ROLE_X'], mainReaders === undefined],
          [['ROLE_X', 'ROLE_S'], true],
        ] as const) {
          const reader = { types: 'all', roles: held } as const
          const ids = idsOf(await entities.list(packageBranch, aQuery({ reader })))
          expect(ids.includes('CONT_B')).toBe(isFound)
          const text = aQuery({ reader, text: 'blueberry' })
          expect(idsOf(await entities.list(packageBranch, text))).toEqual(isFound ? ['CONT_B'] : [])
        }
      }
      await expectLimited(undefined)
      await write(store, limited)
      await expectLimited(['ROLE_S'])
      await write(store, sameVersion(limited, { deletedDate: 5 }))
      await expectLimited(['ROLE_S'])
      await write(
        store,
        sameVersion(sameVersion(before, { revision: limited.revision + 1 }), { roles: before.roles }),
      )
      await expectLimited(undefined)
    })

    test('keeps the state that it started from', async ({ store }) => {
      const marked = { publishedVersion: 1, archived: true, deletedDate: stored.createdDate }
      const accepted = inPackageOf(packageId, { ...stored, ...marked }, { deletedDate: null })
      await write(store, stored, accepted)
      const base = { version: 1, publishedVersion: 1, archived: true, deleted: true }
      expect((await store.entities.get(packageBranch, 'item', 'CONT_A'))?.base).toEqual(base)
      await write(store, nextVersion(accepted, { base: { ...base, version: 7, publishedVersion: null } }))
      const brought = await store.entities.get(packageBranch, 'item', 'CONT_A')
      expect(brought?.base).toEqual({ ...base, version: 7, publishedVersion: null })
    })

    test('keeps main from deleting the version that it started from', async ({ store }) => {
      const second = nextVersion(stored, { publishedVersion: 1 })
      const third = nextVersion(second)
      const fourth = nextVersion(third)
      const accepted = inPackageOf(packageId, second)
      await write(store, stored, second, accepted, third, fourth)
      const forget = () =>
        store.transaction((tx) =>
          tx.entities.forgetVersions(main, item('CONT_A'), { before: 4, retain: null }),
        )
      const numbers = async () => {
        const versions = await store.entities.versions(main, item('CONT_A'), { limit: 9 })
        return versions.map(({ version }) => version)
      }
      await forget()
      expect(await numbers()).toEqual([4, 2, 1])
      await store.transaction((tx) => tx.entities.purge(packageBranch, item('CONT_A')))
      await forget()
      expect(await numbers()).toEqual([4])
      const fifth = nextVersion(fourth)
      const base = { version: 5, publishedVersion: null, archived: false, deleted: false }
      await write(
        store,
        inPackageOf(packageId, fourth, { publishedVersion: 4, inheritsPublished: true, base }),
        fifth,
      )
      const late = { before: 5, retain: null }
      await store.transaction((tx) => tx.entities.forgetVersions(main, item('CONT_A'), late))
      expect(await numbers()).toEqual([5, 4])
    })

    test('keep their first version, below which the version numbers are those of main', async ({ store }) => {
      const third = inPackageOf(packageId, stored, { version: 3 })
      const fourth = nextVersion(third)
      const fifth = nextVersion(fourth)
      const sixth = nextVersion(fifth)
      await write(store, stored, third, fourth, fifth, sixth)
      const forget = (before: number, retain: number | null) =>
        store.transaction((tx) =>
          tx.entities.forgetVersions(packageBranch, item('CONT_A'), { before, retain }),
        )
      const numbers = async () => {
        const versions = await store.entities.versions(packageBranch, item('CONT_A'), { limit: 9 })
        return versions.map(({ version }) => version)
      }
      await forget(5, null)
      expect(await numbers()).toEqual([6, 5, 3])
      await forget(6, 5)
      expect(await numbers()).toEqual([6, 5, 3])
      await forget(6, null)
      expect(await numbers()).toEqual([6, 3])
    })
  })
}
