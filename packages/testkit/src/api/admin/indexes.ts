import type { Api, IndexRebuild, SearchIndex } from '@quire/contract'
import { systemIdentity, createQuire } from '@quire/core'
import type { SearchIndexes, Store, Transaction } from '@quire/core/ports'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const index = 'stacks'
const figures = [
  'numDocs',
  'maxDocId',
  'numTerms',
  'numRecords',
  'invSize',
  'totalInvertedIndexBlocks',
] as const

export function indexTests(bench: () => Bench): void {
  // Words are computed by a thread of the lowest priority, which a busy machine lets wait.
  describe('search indexes', { timeout: 60_000 }, () => {
    let repositoryId = ''
    beforeAll(async () => {
      const { system } = bench()
      repositoryId = (await system.repositories.create({ name: index })).id
      await system.types.create({ name: 'leaf', fields: [{ name: 'words', kind: 'text' }] })
    })

    const leaf = (words: string) =>
      bench().system.items.create({ repositoryId, type: 'leaf', name: words, fields: { words } })
    const serialize = () => bench().api.admin.index({ id: index })

    it('report their content, by the name of their repository', async () => {
      const empty = await serialize()
      expect(empty.name).toBe(index)
      for (const figure of figures) expect(empty[figure], figure).toBeTypeOf('number')
      expect(empty).not.toHaveProperty('rebuild')
      expect(empty.numDocs).toBe(0)
      await leaf('one two')
      await leaf('two three')
      const two = await serialize()
      expect(two).toMatchObject({ numDocs: 2 })
      expect(two.numTerms).toBeGreaterThanOrEqual(3)
      expect(two.numRecords).toBeGreaterThanOrEqual(4)
      for (const figure of figures) expect(two[figure], figure).toBeGreaterThan(0)
      expect(await bench().api.admin.index({ id: repositoryId })).toEqual(two)
    })

    it('are listed one per repository, in pages', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'other-stacks' })
      const { count, items } = await api.admin.indexes()
      expect(items.map(({ name }) => name)).toEqual([index, 'other-stacks'])
      expect(count).toBe(2)
      expect(items[0]).toEqual(await serialize())
      const first = await api.admin.indexes({ limit: 1 })
      const second = await api.admin.indexes({ limit: 1, cursor: first.nextCursor ?? '' })
      expect([...first.items, ...second.items]).toEqual(items)
      expect(await invalidAt(api.admin.indexes({ limit: 0 }))).toEqual(['limit'])
    })

    it('are rebuilt while they are searched, and the journal records it', async () => {
      const { api, scope } = bench()
      await leaf('three four')
      const found = () => api.queries.run({ configId: index, text: 'three' })
      const before = await found()
      const begun = await api.admin.rebuildIndex({ id: index })
      expect(begun).toEqual({
        id: expect.stringMatching(/^JOB_/),
        index,
        state: 'running',
        progress: { done: 0, total: expect.any(Number) },
        startedDate: expect.any(Number),
        finishedDate: null,
        error: null,
      } satisfies IndexRebuild)
      expect(await found()).toEqual(before)
      const ended = await endOf(api)
      expect(ended).toEqual({
        ...begun,
        state: 'succeeded',
        progress: { done: 3, total: 3 },
        finishedDate: expect.any(Number),
      })
      expect(await found()).toEqual(before)
      const entries = await scope.store.journal.read({ after: 0, limit: 1000, repositoryId })
      const given = entries.filter(({ event }) => event === 'INDEX_REBUILT')
      const { identity } = await api.auth.myPermissions()
      expect(given).toMatchObject([{ entityId: repositoryId, user: { userName: identity.id } }])
    })

    it('are rebuilt on each request, but once per Idempotency-Key', async () => {
      const { api } = bench()
      const last = (await serialize()).rebuild
      const idempotencyKey = 'rebuild-once'
      const begun = await api.admin.rebuildIndex({ id: index }, { idempotencyKey })
      expect(begun.id).not.toBe(last?.id)
      expect(await api.admin.rebuildIndex({ id: index }, { idempotencyKey })).toEqual(begun)
      await failing(
        api.admin.rebuildIndex({ id: 'other-stacks' }, { idempotencyKey }),
        'idempotency_mismatch',
      )
      expect(await endOf(api)).toMatchObject({ id: begun.id, state: 'succeeded' })
    })

    it('are rebuilt once for concurrent requests', async () => {
      const { scope, api } = bench()
      const { store, clock } = scope
      // Held until both are answered: a rebuild of three items can end before the second one begins.
      const answered = Promise.withResolvers<void>()
      async function* reindex(...args: Parameters<SearchIndexes['reindex']>) {
        await answered.promise
        yield* store.indexes.reindex(...args)
      }
      const held: Store = { ...store, indexes: { ...store.indexes, reindex } }
      const system = createQuire({ store: held, clock }).as(systemIdentity('held'))
      const [one, two] = await Promise.all([
        system.admin.rebuildIndex({ id: index }),
        system.admin.rebuildIndex({ id: repositoryId }),
      ])
      answered.resolve()
      // The second may know already how much there is to do.
      expect({ ...two, progress: one.progress }).toEqual(one)
      expect(await endOf(api)).toMatchObject({ id: one.id, state: 'succeeded' })
    })

    it('continue a rebuild where a stopped service left it', async () => {
      const { scope, api } = bench()
      const { id = '' } = (await serialize()).rebuild ?? {}
      await scope.store.transaction((tx) => leaveRunning(tx, id))
      const next = createQuire({ store: scope.store, clock: scope.clock })
      const same = await next.as(systemIdentity('next')).admin.rebuildIndex({ id: index })
      expect(same.id).toBe(id)
      expect(await endOf(api)).toMatchObject({ id, state: 'succeeded' })
    })

    it('are deleted with their repository', async () => {
      const { api, system } = bench()
      await api.admin.rebuildIndex({ id: 'other-stacks' })
      await system.repositories.delete({ id: 'other-stacks' })
      await failing(api.admin.index({ id: 'other-stacks' }), 'not_found')
      await system.repositories.create({ name: 'other-stacks' })
      expect(await api.admin.index({ id: 'other-stacks' })).not.toHaveProperty('rebuild')
    })

    it('require permission to administer them', async () => {
      const { api, as } = bench()
      await allFailing(
        [api.admin.index({ id: 'nowhere' }), api.admin.rebuildIndex({ id: 'nowhere' })],
        'not_found',
      )
      const editor = await as({ bundles: ['bundle.publisher'] })
      const viewer = await as({ permissions: { global: ['admin.indexes.view'] } })
      await allFailing(
        [
          editor.admin.index({ id: index }),
          editor.admin.index({ id: 'nowhere' }),
          editor.admin.indexes(),
          editor.admin.rebuildIndex({ id: index }),
          viewer.admin.rebuildIndex({ id: index }),
        ],
        'forbidden',
      )
      expect(await viewer.admin.index({ id: index })).toEqual(await serialize())
    })
  })
}

/** Leaves a rebuild as a crash would. */
async function leaveRunning(tx: Transaction, id: string): Promise<void> {
  const found = await tx.records.get('indexRebuild', id)
  if (!found) throw new Error('there was no rebuild')
  const { revision, ...record } = found
  const left = { ...record, state: 'running', after: 0, done: 0, finishedDate: null } as const
  await tx.records.put('indexRebuild', left, revision)
}

/** Waits for the rebuild to end and returns it. */
async function endOf(api: Api): Promise<SearchIndex['rebuild']> {
  const { rebuild } = await api.admin.index({ id: index })
  if (rebuild?.state !== 'running') return rebuild
  await new Promise((resolve) => setTimeout(resolve, 5))
  return endOf(api)
}
