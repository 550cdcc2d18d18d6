import type { Branch, Entity, EntityVersion, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion } from '../entity.ts'
import { aQuery, item, main, packageBranch, packageId, write, type StoreTest } from './fixture.ts'
import { onRandomVersions, type WrittenVersions } from './random-versions.ts'

const large = 'A lantern. '.repeat(50_000)

const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

export function largeValueLaws(test: StoreTest): void {
  describe('large values', () => {
    test(
      'read back in every version, head and list, and are charged for each version, after any writes',
      { timeout: 120_000 },
      async ({ store }) => {
        await onRandomVersions(store, async (written) => {
          const versions = await readAll(store, written)
          const bytes = versions.reduce((sum, { body }) => sum + bytesOf(body), 0)
          const usage = await store.usage.of({ of: 'repository', id: written.repositoryId })
          expect(usage).toMatchObject({ bytes, versions: versions.length })
        })
      },
    )

    test('remain for the other versions, items and branches when one that has them goes', async ({
      store,
    }) => {
      const one = anEntity({ id: 'CONT_1', body: { fields: { big: large, at: 1 } } })
      const two = nextVersion(one, { body: { fields: { big: large, at: 2 } } })
      const other = anEntity({ id: 'CONT_2', body: { big: large } })
      const elsewhere = anEntity({ id: 'CONT_2', packageId, body: { text: large } })
      await write(store, one, two, other, elsewhere)
      await store.transaction((tx) =>
        tx.entities.forgetVersions(main, item('CONT_1'), { before: 2, retain: null }),
      )
      expect((await store.entities.get(main, 'item', 'CONT_1'))?.body).toEqual(two.body)
      expect((await store.entities.version(main, item('CONT_1'), 2))?.body).toEqual(two.body)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_2')))
      expect((await store.entities.get(packageBranch, 'item', 'CONT_2'))?.body).toEqual(elsewhere.body)
      expect((await store.entities.version(packageBranch, item('CONT_2'), 1))?.body).toEqual(elsewhere.body)
    })

    test('of a head may differ from those of its version', async ({ store }) => {
      const one = anEntity({ id: 'CONT_1', body: { big: large } })
      const changed = sameVersion(one, { body: { big: `${large}!`, medium: large.slice(0, 9_000) } })
      const other = anEntity({ id: 'CONT_2', body: changed.body })
      await write(store, one, changed, other)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_2')))
      expect((await store.entities.get(main, 'item', 'CONT_1'))?.body).toEqual(changed.body)
      expect((await store.entities.version(main, item('CONT_1'), 1))?.body).toEqual(one.body)
    })

    test('of a head remain when its version is deleted', async ({ store }) => {
      const one = anEntity({ id: 'CONT_1', body: { big: large }, json: JSON.stringify({ big: large }) })
      await write(store, one)
      await store.transaction((tx) =>
        tx.entities.forgetVersions(main, item('CONT_1'), { before: 2, retain: null }),
      )
      expect(await store.entities.version(main, item('CONT_1'), 1)).toBeNull()
      expect(contentOf(await store.entities.get(main, 'item', 'CONT_1'))).toEqual(contentOf(one))
    })

    test('are undone with the transaction that wrote or deleted them', async ({ store }) => {
      const one = anEntity({ id: 'CONT_1', body: { big: large } })
      await write(store, one)
      const undone = store.transaction(async (tx) => {
        await tx.entities.purge(main, item('CONT_1'))
        await tx.entities.put(anEntity({ id: 'CONT_2', body: { big: `${large}!` } }), 0)
        throw new RangeError('Undone.')
      })
      await expect(undone).rejects.toThrow('Undone.')
      expect((await store.entities.version(main, item('CONT_1'), 1))?.body).toEqual(one.body)
      await write(store, anEntity({ id: 'CONT_2', body: { big: `${large}!` } }))
      expect((await store.entities.get(main, 'item', 'CONT_2'))?.body).toEqual({ big: `${large}!` })
    })
  })
}

/** Compares all reads with what was written. Returns the stored versions of all branches. */
async function readAll(store: Store, { histories }: WrittenVersions): Promise<readonly EntityVersion[]> {
  const all: EntityVersion[] = []
  for (const { head, versions } of histories.values()) {
    const branch: Branch = head
    const ref = item(head.id)
    const stored = await store.entities.versions(branch, ref, { limit: 100 })
    for (const { version, body } of stored) {
      expect(body).toEqual(versions.get(version)?.body)
      expect((await store.entities.version(branch, ref, version))?.body).toEqual(body)
    }
    const bytes = stored.reduce((sum, { body }) => sum + bytesOf(body), 0)
    expect(await store.entities.versionTotals(branch, ref)).toEqual({ count: stored.length, bytes })
    expect(contentOf(await store.entities.get(branch, 'item', head.id))).toEqual(contentOf(head))
    const page = await store.entities.list(branch, aQuery({ archived: head.archived }))
    expect(page.entities.find(({ id }) => id === head.id)?.json).toBe(head.json)
    all.push(...stored)
  }
  return all
}

function contentOf(head: Entity | null) {
  return { body: head?.body, json: head?.json }
}
