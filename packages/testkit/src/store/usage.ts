import type { EntityWrite, Branch, Store, Transaction, Usage } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion, inPackageOf } from '../entity.ts'
import { aPerson, ben } from '../people.ts'
import { item, main, otherPackageBranch, packageId, packageBranch, refusal, write } from './fixture.ts'
import type { StoreTest } from './fixture.ts'

const first = anEntity({ id: 'CONT_1', body: { text: 'ä' } })
const second = nextVersion(first, { updatedBy: ben, body: { text: 'longer' } })
const [firstBytes, secondBytes] = [first, second].map(textBytes) as [number, number]
const nothing: Usage = { bytes: 0, items: 0, versions: 0 }

/** The storage that repositories and accounts are charged for. */
export function usageLaws(test: StoreTest): void {
  describe('usage', () => {
    test('is charged to the repository and to the author', async ({ store }) => {
      expect(await ofRepository(store)).toEqual(nothing)
      await write(store, first, second)
      expect(await ofRepository(store)).toEqual({ bytes: firstBytes + secondBytes, items: 1, versions: 2 })
      expect(await ofAccount(store, 'ada')).toEqual({ bytes: firstBytes, items: 1, versions: 1 })
      expect(await ofAccount(store, 'ben')).toEqual({ bytes: secondBytes, items: 0, versions: 1 })
      expect(await ofRepository(store, 'REPO_OTHER')).toEqual(nothing)
    })

    test('counts files with the version that adds them, and other kinds than items as versions only', async ({
      store,
    }) => {
      const asset = { ...first, blobs: ['a'], fileBytes: 1000 }
      await write(
        store,
        asset,
        nextVersion(asset, { fileBytes: 0 }),
        anEntity({ id: 'FOLD_1', kind: 'folder' }),
      )
      const { bytes, ...rest } = await ofRepository(store)
      expect(rest).toEqual({ items: 1, versions: 3 })
      expect(bytes).toBe(1000 + 2 * firstBytes + textBytes(anEntity()))
    })

    test('does not grow with changes of state or the published branch, and counts no item when a package adds one of main', async ({
      store,
    }) => {
      await write(store, first, sameVersion(first, { publishedVersion: 1 }))
      await write(store, { ...first, packageId: 'published' })
      expect(await ofRepository(store)).toEqual({ bytes: firstBytes, items: 1, versions: 1 })
      await write(store, inPackageOf(packageId, first))
      expect(await ofRepository(store)).toMatchObject({ items: 1, versions: 2 })
    })

    test('counts an item once that a package created and main received, until the last head is purged', async ({
      store,
    }) => {
      const items = async () => (await ofRepository(store)).items
      await write(store, { ...first, packageId })
      await write(store, first)
      expect(await items()).toBe(1)
      await store.transaction((tx) => tx.entities.purge(packageBranch, item('CONT_1')))
      expect(await items()).toBe(1)
      await write(store, sameVersion(first, { deletedDate: 5 }))
      expect(await items()).toBe(1)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      expect(await ofRepository(store)).toEqual(nothing)
      expect(await ofAccount(store, 'ada')).toEqual(nothing)
    })

    test('is charged only to the repository when the system is the author', async ({ store }) => {
      const system = aPerson('system:import')
      await write(store, { ...first, createdBy: system, updatedBy: system })
      expect(await ofRepository(store)).toMatchObject({ items: 1, versions: 1 })
      expect(await ofAccount(store, 'system:import')).toEqual(nothing)
    })

    test('is credited to the authors of deleted versions', async ({ store }) => {
      await write(store, first, second)
      const old = { before: 2, retain: null }
      await store.transaction((tx) => tx.entities.forgetVersions(main, item('CONT_1'), old))
      expect(await ofAccount(store, 'ada')).toEqual({ bytes: 0, items: 1, versions: 0 })
      expect(await ofRepository(store)).toEqual({ bytes: secondBytes, items: 1, versions: 1 })
    })

    test('is seen by a transaction with its own changes, which a rollback removes', async ({ store }) => {
      await write(store, first)
      const undone = store.transaction(async (tx) => {
        await refusal(
          tx.nested(async (inner) => {
            await inner.entities.purge(main, item('CONT_1'))
            expect(await ofRepository(inner)).toEqual(nothing)
            throw new Error('undo')
          }),
        )
        expect(tx.usage.changes()).toEqual([])
        await tx.nested((inner) => inner.entities.put(second, 1))
        expect(await ofAccount(tx, 'ben')).toEqual({ bytes: secondBytes, items: 0, versions: 1 })
        const own = { bytes: secondBytes, items: 0, versions: 1, adds: true }
        expect(tx.usage.changes()).toEqual([
          { scope: { of: 'repository', id: main.repositoryId }, ...own },
          { scope: { of: 'account', id: 'ben' }, ...own },
        ])
        throw new Error('undo')
      })
      await refusal(undone)
      expect(await ofRepository(store)).toEqual({ bytes: firstBytes, items: 1, versions: 1 })
    })

    test('does not count a deletion as adding, even if it makes a version', async ({ store }) => {
      await write(store, first)
      const deleted = inPackageOf(packageId, first, { deletedDate: 5 })
      await store.transaction(async (tx) => {
        await tx.entities.put(deleted, 0)
        expect(tx.usage.changes()).toMatchObject([{ versions: 1, adds: false }, { adds: false }])
      })
    })

    test('does not change when it is folded by several at a time', async ({ store }) => {
      for (let n = 0; n < 20; n += 1) await write(store, anEntity({ id: `CONT_${n}`, slug: `s-${n}` }))
      const before = await ofRepository(store)
      const fold = () => store.transaction((tx) => tx.usage.fold(7))
      await Promise.all([fold(), fold(), write(store, anEntity({ id: 'CONT_A' })), fold()])
      expect(await ofRepository(store)).toMatchObject({ items: before.items + 1, versions: 21 })
      while ((await fold()) > 0);
      expect(await store.usage.of({ of: 'repository', id: main.repositoryId })).toMatchObject({
        items: 21,
        versions: 21,
        unfolded: 0,
      })
    })

    test('is the sum of its rows, whatever happened', async ({ store }) => {
      let run = 0
      const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        run += 1
        const repositoryId = `REPO_${run}`
        const files = new Map<string, number>()
        for (const next of steps) await take(store, { repositoryId, files }, next)
        const { repository, accounts } = await recount(store, { repositoryId, files })
        expect(await ofRepository(store, repositoryId)).toEqual(repository)
        for (const name of people)
          expect(await ofAccount(store, `${name}-${repositoryId}`)).toEqual(accounts.get(name))
        expect(await ofAccount(store, `system:test-${repositoryId}`)).toEqual(nothing)
      })
      await fc.assert(property, { seed: 20_260_101, numRuns: 40 })
    })
  })
}

const people = ['ada', 'ben'] as const
const branchIds = [null, packageBranch.packageId, otherPackageBranch.packageId, 'published'] as const

const step = fc.record({
  act: fc.constantFrom('put', 'put', 'put', 'mark', 'delete', 'forget', 'purge', 'undone', 'fold'),
  branch: fc.constantFrom(...branchIds),
  entity: fc.constantFrom(
    { kind: 'item', id: 'CONT_1' } as const,
    { kind: 'item', id: 'CONT_2' } as const,
    { kind: 'folder', id: 'FOLD_1' } as const,
  ),
  by: fc.constantFrom('ada', 'ben', 'system:test'),
  text: fc.string({ unit: 'binary', maxLength: 9 }),
  fileBytes: fc.constantFrom(0, 0, 7),
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface History {
  readonly repositoryId: string
  /** Bytes of files, by branch, entity and version. */
  readonly files: Map<string, number>
}

async function take(store: Store, history: History, next: Step): Promise<void> {
  const { repositoryId } = history
  const branch = { repositoryId, packageId: next.branch }
  if (next.act === 'fold') return void (await store.transaction((tx) => tx.usage.fold(3)))
  const work = (tx: Transaction) => act(tx, { history, branch }, next)
  if (next.act !== 'undone') return store.transaction(work)
  const fails = store.transaction(async (tx) => {
    await work(tx)
    throw new Error('undo')
  })
  await refusal(fails)
}

async function act(
  tx: Transaction,
  { history, branch }: { history: History; branch: Branch },
  change: Step,
): Promise<void> {
  const { act: done, entity } = change
  const head = await tx.entities.get(branch, entity.kind, entity.id)
  const own = head?.packageId === branch.packageId ? head : null
  if (done === 'purge') return tx.entities.purge(branch, entity)
  if (done === 'forget')
    return tx.entities.forgetVersions(branch, entity, { before: own?.version ?? 1, retain: 1 })
  const write = writeOf(change, own ?? { ...branch, version: 0, revision: 0 })
  const next = done === 'mark' && own ? write : { ...write, version: write.version + 1 }
  if (next.version > write.version && done !== 'undone')
    history.files.set(keyOf(next, next.version), change.fileBytes)
  await tx.entities.put(next, write.revision - 1)
}

/** What a step says of a head, with the number of the version before it. */
function writeOf(
  { act: done, entity, by, text, fileBytes }: Step,
  { repositoryId, packageId: on, version, revision }: Branch & Pick<EntityWrite, 'version' | 'revision'>,
): EntityWrite {
  return anEntity({
    repositoryId,
    packageId: on,
    ...entity,
    version,
    revision: revision + 1,
    slug: null,
    // An item has one creator, whatever branch it is on.
    createdBy: aPerson(`${entity.id === 'CONT_1' ? 'ada' : 'ben'}-${repositoryId}`),
    updatedBy: aPerson(`${by}-${repositoryId}`),
    body: { text: text.toWellFormed() },
    deletedDate: done === 'delete' ? 5 : null,
    fileBytes,
  })
}

function keyOf({ packageId: on, kind, id }: Pick<EntityWrite, 'packageId' | 'kind' | 'id'>, version: number) {
  return [on, kind, id, version].join(' ')
}

async function recount(
  store: Store,
  { repositoryId, files }: History,
): Promise<{ repository: Usage; accounts: ReadonlyMap<(typeof people)[number], Usage> }> {
  const all: { userName: string; usage: Usage }[] = []
  const items = new Map<string, string>()
  for (const on of branchIds.filter((name) => name !== 'published')) {
    const branch = { repositoryId, packageId: on }
    for (const head of await store.entities.ownHeads(branch, { limit: 1000 })) {
      if (head.kind === 'item') items.set(head.id, head.createdBy.userName)
      for (const version of await store.entities.versions(branch, head, { limit: 1000 })) {
        const bytes = textBytes(version) + (files.get(keyOf(head, version.version)) ?? 0)
        all.push({ userName: version.savedBy.userName, usage: { bytes, items: 0, versions: 1 } })
      }
    }
  }
  for (const userName of items.values()) all.push({ userName, usage: { ...nothing, items: 1 } })
  const accounts = people.map(
    (name) => [name, sum(all.filter(({ userName }) => userName === `${name}-${repositoryId}`))] as const,
  )
  return { repository: sum(all), accounts: new Map(accounts) }
}

function sum(all: readonly { readonly usage: Usage }[]): Usage {
  return all.reduce(
    (total, { usage: { bytes, items, versions } }) => ({
      bytes: total.bytes + bytes,
      items: total.items + items,
      versions: total.versions + versions,
    }),
    nothing,
  )
}

async function ofRepository(store: Pick<Store, 'usage'>, id: string = main.repositoryId): Promise<Usage> {
  const { unfolded: _unfolded, ...usage } = await store.usage.of({ of: 'repository', id })
  return usage
}

async function ofAccount(store: Pick<Store, 'usage'>, id: string): Promise<Usage> {
  const { unfolded: _unfolded, ...usage } = await store.usage.of({ of: 'account', id })
  return usage
}

function textBytes({ body }: Pick<EntityWrite, 'body'>): number {
  return Buffer.byteLength(JSON.stringify(body))
}
