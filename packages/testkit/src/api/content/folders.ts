import type { AnswerInfo } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { folderDeletionTests } from './folder-deletions.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { structureMergeTests } from './structure-merges.ts'
import { at, foldersOf } from './structure-steps.ts'

const configId = 'magazine'
const nowhere = { configId, id: 'FOLD_01JB2Q5B8D0F2H4K6M8P0R2T4V' }

/** Folders: a tree that contains items. */
export function folderTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aFolder = foldersOf(bench)
  const names = async (answer: Promise<{ items: { name: string }[] }>) =>
    (await answer).items.map(({ name }) => name)
  const eventsOf = async (id: string) =>
    (await bench().scope.store.journal.read({ after: 0, limit: 1000, entityId: id })).map(
      ({ event }) => event,
    )

  describe('a folder', () => {
    it('is created, found, described and read in old versions', async () => {
      const { api, scope } = bench()
      const top = await aFolder({ name: ' Issues ' })
      expect(top).toMatchObject({
        name: 'Issues',
        parentId: null,
        path: [],
        currentVersion: 1,
        packageName: null,
      })
      expect(top.id).toMatch(/^FOLD_/)
      const folder = await aFolder({ name: 'Spring', description: 'Ink', parentId: top.id })
      expect(folder.path).toEqual([{ id: top.id, name: 'Issues' }])
      expect(await api.folders.get(at(folder))).toEqual(folder)
      const before = scope.clock.now()
      scope.clock.advance(1000)
      const renamed = await api.folders.update({ ...at(folder), name: 'Summer' })
      expect(renamed).toMatchObject({ name: 'Summer', description: 'Ink', currentVersion: 2 })
      await api.folders.update({ ...at(top), name: 'All issues' })
      expect((await api.folders.get(at(folder))).path).toEqual([{ id: top.id, name: 'All issues' }])
      expect(await api.folders.get({ ...at(folder), at: before })).toEqual(folder)
      await failing(api.folders.get({ ...at(folder), at: 1 }), 'not_found')
      expect(await eventsOf(folder.id)).toEqual(['FOLDER_CREATED', 'FOLDER_UPDATED'])
    })

    it('gets no new version from a change without effect', async () => {
      const folder = await aFolder({ description: 'Same' })
      const same = { name: folder.name, description: 'Same' }
      expect(await bench().api.folders.update({ ...at(folder), ...same })).toEqual(folder)
      expect(await bench().api.folders.move({ ...at(folder), parentId: null })).toEqual(folder)
      expect(await eventsOf(folder.id)).toEqual(['FOLDER_CREATED'])
    })

    it('has a unique name among its siblings, whatever the case and normalization', async () => {
      const { api } = bench()
      const [top, other] = [await aFolder(), await aFolder()]
      const cafe = await aFolder({ name: 'Caf\u00e9', parentId: top.id })
      await allFailing(
        ['CAF\u00c9', 'cafe\u0301', ' caf\u00e9 '].map((name) => aFolder({ name, parentId: top.id })),
        'name_taken',
      )
      const elsewhere = await aFolder({ name: 'CAF\u00c9', parentId: other.id })
      const beside = await aFolder({ name: 'Tea', parentId: top.id })
      const before = await api.folders.tree({ configId })
      await failing(api.folders.update({ ...at(beside), name: 'caf\u00e9' }), 'name_taken')
      await failing(api.folders.move({ ...at(elsewhere), parentId: top.id }), 'name_taken')
      expect(await api.folders.tree({ configId })).toEqual(before)
      await api.folders.move({ ...at(elsewhere), parentId: top.id, name: 'Coffee' })
      expect((await api.folders.update({ ...at(cafe), name: 'CAF\u00c9' })).name).toBe('CAF\u00c9')
      await api.folders.delete(at(cafe))
      await aFolder({ name: 'caf\u00e9', parentId: top.id })
    })

    it('has a readable name that programs can use in paths', async () => {
      for (const name of ['', '  ', 'a/b', 'a\tb', 'a\u0007', 'x'.repeat(201)])
        expect(await invalidAt(aFolder({ name }))).toEqual(['name'])
      for (const name of ['..', '日本', 'x'.repeat(200), '👩‍🚀 & <b>'])
        expect((await aFolder({ name })).name).toBe(name)
    })

    it('can only be in an existing folder', async () => {
      const { api } = bench()
      const gone = await aFolder()
      await api.folders.delete(at(gone))
      const folder = await aFolder()
      for (const parentId of [gone.id, nowhere.id, 'CONT_1']) {
        expect(await invalidAt(aFolder({ parentId }))).toEqual(['parentId'])
        expect(await invalidAt(api.folders.move({ ...at(folder), parentId }))).toEqual(['parentId'])
      }
      expect(await api.folders.get(at(folder))).toEqual(folder)
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const elsewhere = { ...nowhere, configId: 'nowhere' }
      for (const where of [nowhere, elsewhere])
        await allFailing(
          [
            api.folders.get(where),
            api.folders.update({ ...where, name: 'x' }),
            api.folders.move({ ...where, parentId: null }),
            api.folders.delete(where),
            api.folders.tree({ configId: where.configId, parentId: where.id }),
          ],
          'not_found',
        )
      const packageName = 'nowhere'
      await allFailing(
        [
          api.folders.list({ configId: 'nowhere' }),
          api.folders.create({ configId: 'nowhere', name: 'x' }),
          api.folders.create({ configId, packageName, name: 'x' }),
          api.folders.list({ configId, packageName }),
        ],
        'not_found',
      )
    })

    it('is changed with a current If-Match only, even if its parent was renamed', async () => {
      const { api } = bench()
      const top = await aFolder()
      const folder = await aFolder({ parentId: top.id })
      const reported: AnswerInfo[] = []
      const tag = () => reported.at(-1)?.etag ?? ''
      const read = () => api.folders.get(at(folder), { onAnswer: (about) => void reported.push(about) })
      await read()
      const first = tag()
      await api.folders.update({ ...at(top), name: 'Renamed meanwhile' })
      await read()
      expect(tag()).not.toBe(first)
      await api.folders.update({ ...at(folder), name: 'By the first tag' }, { ifMatch: first })
      const before = await api.folders.get(at(folder))
      await allFailing(
        [
          api.folders.update({ ...at(folder), name: 'x' }, { ifMatch: first }),
          api.folders.move({ ...at(folder), parentId: null }, { ifMatch: first }),
          api.folders.delete(at(folder), { ifMatch: first }),
        ],
        'precondition_failed',
      )
      expect(await api.folders.get(at(folder))).toEqual(before)
    })

    it('is created once per Idempotency-Key', async () => {
      const { api } = bench()
      const create = (name: string) =>
        api.folders.create({ configId, name }, { idempotencyKey: 'a folder once' })
      expect(await create('Once')).toEqual(await create('Once'))
      await failing(create('Twice'), 'idempotency_mismatch')
    })
  })

  describe('a tree of folders', () => {
    it('is read as a whole, in part, and to a given depth', async () => {
      const { api } = bench()
      const top = await aFolder({ name: 'Tree' })
      const b = await aFolder({ name: 'b', parentId: top.id })
      await aFolder({ name: 'C', parentId: top.id })
      await aFolder({ name: 'a', parentId: top.id })
      await aFolder({ name: 'below b', parentId: b.id })
      const below = { configId, parentId: top.id }
      const { count, items } = await api.folders.tree(below)
      expect(count).toBe(4)
      expect(items.map(({ name, depth }) => [name, depth])).toEqual([
        ['a', 1],
        ['b', 1],
        ['below b', 2],
        ['C', 1],
      ])
      expect(await names(api.folders.tree({ ...below, depth: 1 }))).toEqual(['a', 'b', 'C'])
      const whole = await api.folders.tree({ configId })
      const from = whole.items.findIndex(({ id }) => id === top.id)
      expect(whole.items.slice(from, from + 5).map(({ depth }) => depth)).toEqual([1, 2, 2, 3, 2])
      expect(await invalidAt(api.folders.tree({ configId, depth: 51 }))).toEqual(['depth'])
    })

    it('is listed by name, folder by folder, page by page, and by words', async () => {
      const { api } = bench()
      const top = await aFolder({ name: 'Listed' })
      for (const name of ['Delta quokka', 'Alpha', 'Bravo quokka']) await aFolder({ name, parentId: top.id })
      const within = { configId, parentId: top.id }
      expect(await names(api.folders.list(within))).toEqual(['Alpha', 'Bravo quokka', 'Delta quokka'])
      const first = await api.folders.list({ ...within, limit: 2 })
      expect(first.count).toBe(3)
      const cursor = first.nextCursor ?? ''
      const second = await api.folders.list({ ...within, limit: 2, cursor, skipCount: true })
      expect(second).toEqual({ items: [expect.objectContaining({ name: 'Delta quokka' })] })
      expect(second.items[0]?.path).toEqual([{ id: top.id, name: 'Listed' }])
      expect(await names(api.folders.list({ configId, text: 'quok' }))).toEqual([
        'Bravo quokka',
        'Delta quokka',
      ])
      const atTop = await api.folders.list({ configId, parentId: 'none', limit: 1000 })
      expect(atTop.items.every(({ parentId }) => parentId === null)).toBe(true)
      expect(atTop.count).toBeLessThan((await api.folders.list({ configId, limit: 1 })).count ?? 0)
      for (const wrong of ['x', 'WyJ4Il0', 'bnVsbA'])
        expect(await invalidAt(api.folders.list({ configId, cursor: wrong }))).toEqual(['cursor'])
    })

    it('never becomes a cycle, neither by one move nor by fifty at once', async () => {
      const { api } = bench()
      const top = await aFolder()
      const chain = [top]
      for (let depth = 0; depth < 5; depth++)
        chain.push(await aFolder({ parentId: chain.at(-1)?.id ?? null }))
      for (const { id: parentId } of chain)
        expect(await invalidAt(api.folders.move({ ...at(top), parentId }))).toEqual(['parentId'])
      const ring = [await aFolder(), await aFolder(), await aFolder()]
      const moves = Array.from({ length: 51 }, (_, n) => {
        const [folder, into] = [ring[n % 3], ring[(n + 1) % 3]]
        return api.folders.move({ ...at(folder ?? top), parentId: into?.id ?? null }).then(
          () => 'moved',
          ({ code }) => code,
        )
      })
      expect(new Set(await Promise.all(moves))).toEqual(new Set(['moved', 'invalid']))
      const ids = new Set((await api.folders.tree({ configId })).items.map(({ id }) => id))
      expect(ring.filter(({ id }) => !ids.has(id))).toEqual([])
    })

    it('has at most fifty levels, however it is built', async () => {
      const { api } = bench()
      const grow = async (levels: number) => {
        const made = [await aFolder()]
        while (made.length < levels) made.push(await aFolder({ parentId: made.at(-1)?.id ?? null }))
        return made
      }
      const deep = await grow(50)
      const [last] = deep.slice(-1)
      expect(await invalidAt(aFolder({ parentId: last?.id ?? null }))).toEqual(['parentId'])
      const [first, second] = await grow(2)
      const under = (depth: number) => ({ parentId: deep[depth - 1]?.id ?? null })
      expect(await invalidAt(api.folders.move({ ...at(first ?? nowhere), ...under(49) }))).toEqual([
        'parentId',
      ])
      await api.folders.move({ ...at(first ?? nowhere), ...under(48) })
      expect((await api.folders.get(at(second ?? nowhere))).path).toHaveLength(49)
    })
  })

  describe('folders in a package', () => {
    it('are visible only there until they are merged', async () => {
      const { api } = bench()
      const folder = await aFolder({ name: 'On main' })
      const { repo, packageName } = await newPackage(api)
      const before = await api.folders.tree({ configId })
      const made = await aFolder({ name: 'In the package', packageName, parentId: folder.id })
      expect(made.packageName).toBe(packageName)
      await api.folders.update({ ...at(folder), packageName, name: 'Renamed there' })
      expect((await api.folders.get({ ...at(made), packageName })).path).toMatchObject([
        { name: 'Renamed there' },
      ])
      await api.folders.move({ ...at(made), packageName, parentId: null })
      expect(await api.folders.tree({ configId })).toEqual(before)
      await failing(api.folders.get(at(made)), 'not_found')
      expect(await names(api.folders.list({ configId, packageName, text: 'there' }))).toEqual([
        'Renamed there',
      ])
      await api.packages.merge({ repo, packageName })
      expect(await api.folders.get(at(made))).toMatchObject({ parentId: null, packageName: null })
      expect((await api.folders.get(at(folder))).name).toBe('Renamed there')
      expect(await eventsOf(made.id)).toEqual(['FOLDER_CREATED', 'FOLDER_UPDATED', 'FOLDER_CREATED'])
      const ref = { configId, packageName }
      await allFailing(
        [
          api.folders.create({ ...ref, name: 'x' }),
          api.folders.update({ ...at(made), packageName, name: 'x' }),
          api.folders.move({ ...at(made), packageName, parentId: folder.id }),
          api.folders.delete({ ...at(made), packageName }),
        ],
        'invalid_state',
      )
    })
  })

  folderDeletionTests(bench)
  structureMergeTests(bench)
}
