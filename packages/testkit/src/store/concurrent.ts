import type { EntityWrite, Store, Transaction } from '@quire/core/ports'
import { testStart } from '@quire/core/memory'
import { describe, expect } from 'vitest'
import { anEntity, indexed, nextVersion } from '../entity.ts'
import { aQuery, main, packageBranch, packageId, write, type StoreTest } from './fixture.ts'
import { aJob } from './job-samples.ts'
import { aGroup, anEntry } from './record-samples.ts'

const ROUNDS = 12

/**
 * What transactions must keep to that read something, and then write because of it, while others do
 * the same. Half of them run in another process if the store has one (`OpenedStore.another`).
 */
export function concurrentLaws(test: StoreTest): void {
  describe('transactions at the same time', () => {
    test('never both leave a duty because they have seen the other on duty', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const [a, b] = [`CONT_A${round}`, `CONT_B${round}`]
        await write(one, anEntity({ id: a }), anEntity({ id: b }))
        await atOnce(both, (tx, racer) => leaveDuty(tx, racer % 2 === 0 ? a : b, [a, b]))
        const heads = await one.entities.getMany(main, 'item', [a, b])
        expect(heads.filter(({ archived }) => !archived)).toHaveLength(1)
      }
    })

    test('never both add a value that neither has found', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const code = `code ${round}`
        await atOnce(both, (tx, racer) => addWithCode(tx, `CONT_${round}_${racer}`, code))
        expect(await withCode(one, code)).toHaveLength(1)
      }
    })

    test('never fill a folder that another deletes because it is empty', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const folder = anEntity({ kind: 'folder', type: 'folder', id: `FOLD_${round}` })
        await write(one, folder)
        await atOnce(both, (tx, racer) =>
          racer % 2 === 0 ? deleteIfEmpty(tx, folder) : addTo(tx, folder, `CONT_${round}_${racer}`),
        )
        const isDeleted = (await one.entities.get(main, 'folder', folder.id))?.deletedDate !== null
        expect(await childrenOf(one, folder.id)).toHaveLength(isDeleted ? 0 : RACERS / 2)
      }
    })

    test('never refer to what another deletes because nothing refers to it', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const target = anEntity({ id: `CONT_T${round}` })
        await write(one, target)
        await atOnce(both, (tx, racer) =>
          racer % 2 === 0 ? deleteIfUnreferenced(tx, target) : referTo(tx, target, `CONT_${round}_${racer}`),
        )
        const isDeleted = (await one.entities.get(main, 'item', target.id))?.deletedDate !== null
        expect(await one.entities.incoming(main, target.id, 99)).toHaveLength(isDeleted ? 0 : RACERS / 2)
      }
    })

    test('never close a circle of parents that neither has seen', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const ids = ['A', 'B', 'C'].map((name) => `FOLD_${name}${round}`)
        await write(one, ...ids.map((id) => anEntity({ kind: 'folder', type: 'folder', id })))
        await atOnce(both, (tx, racer) => moveBelow(tx, ids[racer % 3] ?? '', ids[(racer + 1) % 3] ?? ''))
        for (const id of ids) expect(await pathOf(one, id)).not.toContain('circle')
      }
    })

    test('change the same heads in any order without losing a change', async ({ both }) => {
      const [one] = both
      const ids = Array.from({ length: 20 }, (_, index) => `CONT_${String(index).padStart(2, '0')}`)
      await write(one, ...ids.map((id) => anEntity({ id, body: { count: 0 } })))
      await atOnce(both, (tx, racer) => countEach(tx, racer % 2 === 0 ? ids : ids.toReversed()))
      const heads = await one.entities.getMany(main, 'item', ids)
      expect(heads.map(({ body }) => body['count'])).toEqual(ids.map(() => RACERS))
    })

    test('write nothing with a right that another has removed before them', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const right = aGroup(`GRUP_${round}`)
        await one.transaction((tx) => tx.records.put('group', right, 0))
        const before = await newestSequence(one)
        await atOnce(both, (tx, racer) =>
          racer === 3 ? remove(tx, right.id, round) : useRight(tx, right.id, `CONT_${round}_${racer}`),
        )
        const rows = await one.journal.read({ after: before, limit: 99 })
        const events = rows.map(({ event }) => event)
        expect(events.slice(events.indexOf('REMOVED') + 1)).toEqual([])
      }
    })

    test('exchange unique keys and slugs only as a whole', async ({ both }) => {
      const [one] = both
      const names = ['red', 'blue']
      await one.transaction(async (tx) => {
        for (const name of names) await tx.records.put('group', aGroup(`GRUP_${name}`, { name }), 0)
      })
      await atOnce(both, async (tx) => {
        const [red, blue] = await Promise.all(names.map((name) => tx.records.get('group', `GRUP_${name}`)))
        if (!red || !blue) throw new Error('A record is gone.')
        const between = await tx.records.put('group', { ...red, name: 'between' }, red.revision)
        await tx.records.put('group', { ...blue, name: red.name }, blue.revision)
        await tx.records.put('group', { ...red, name: blue.name }, between.revision)
      })
      const found = await Promise.all(names.map((name) => one.records.find('group', `name:${name}`)))
      expect(found.map((group) => group?.id)).toEqual(['GRUP_red', 'GRUP_blue'])
    })

    test('do once what a stored key says was not done yet', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const key = `once ${round}`
        const answers = await atOnce(both, async (tx, racer) => {
          const stored = await tx.ephemera.get(key, 1)
          if (stored !== null) return stored
          await tx.entities.put(anEntity({ id: `CONT_${round}_${racer}` }), 0)
          await tx.ephemera.put(key, `CONT_${round}_${racer}`, 100)
          return `CONT_${round}_${racer}`
        })
        expect(new Set(answers).size).toBe(1)
      }
      expect((await one.entities.list(main, aQuery())).count).toBe(ROUNDS)
    })

    test('join a job, or queue one that begins after they are committed', async ({ both }) => {
      const [one] = both
      for (let round = 0; round < ROUNDS; round++) {
        const key = `job ${round}`
        const jobs = await atOnce(both, (tx, racer) =>
          tx.jobs.enqueue(aJob(`JOBS_${round}_${racer}`, { key })),
        )
        expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
        expect(await one.jobs.findUnended(key)).toMatchObject({ id: jobs[0]?.id })
      }
    })

    test('see a package and main as they are together', async ({ both }) => {
      const [one] = both
      await write(one, anEntity({ id: 'CONT_1', slug: 'a' }))
      const seen = await atOnce(both, async (tx, racer) => {
        if (racer % 2 === 1) {
          const bySlug = await tx.entities.getBySlug(packageBranch, { kind: 'item', slug: 'a' })
          const head = await tx.entities.get(packageBranch, 'item', 'CONT_1')
          return (bySlug === null) === (head?.slug !== 'a')
        }
        const own = await tx.entities.get(packageBranch, 'item', 'CONT_1')
        const previous = own?.packageId === packageId ? own : null
        const slug = previous?.slug === 'b' ? 'a' : 'b'
        const next = { ...anEntity({ id: 'CONT_1' }), ...previous, packageId, slug }
        const revision = (previous?.revision ?? 0) + 1
        await tx.entities.put({ ...next, version: revision, revision }, revision - 1)
        return true
      })
      expect(seen).not.toContain(false)
    })

    test('record in the order in which they are committed', async ({ both }) => {
      const [one] = both
      await write(one, anEntity({ id: 'CONT_1' }))
      await atOnce(both, async (tx, racer) => {
        const head = await tx.entities.get(main, 'item', 'CONT_1')
        if (!head) throw new Error('The entity is gone.')
        const next = nextVersion({ ...anEntity(), ...head })
        const date = testStart + ((racer * 7) % RACERS)
        await tx.journal.record(anEntry({ entityId: head.id, version: next.version, date }))
        await tx.entities.put(next, head.revision)
      })
      const rows = await one.journal.read({ after: 0, limit: 99, entityId: 'CONT_1' })
      expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: RACERS }, (_, n) => n + 2))
      const dates = rows.map(({ date }) => date)
      expect(dates).toEqual(dates.toSorted((a, b) => a - b))
    })
  })
}

/** Even, so that half of them can do one thing and half of them another. */
const RACERS = 12

/** Runs the work of all racers at the same time, alternately in each of the stores. */
function atOnce<T>(
  stores: readonly [Store, Store],
  work: (tx: Transaction, racer: number) => Promise<T>,
): Promise<T[]> {
  const run = (racer: number) => (racer % 4 < 2 ? stores[0] : stores[1]).transaction((tx) => work(tx, racer))
  return Promise.all(Array.from({ length: RACERS }, (_, racer) => run(racer)))
}

async function leaveDuty(tx: Transaction, id: string, all: readonly string[]): Promise<void> {
  const heads = await Promise.all(all.map((one) => tx.entities.get(main, 'item', one)))
  const own = heads.find((head) => head?.id === id)
  if (!own || own.archived || heads.some((head) => head?.archived)) return
  await tx.entities.put({ ...anEntity(), ...own, archived: true, revision: own.revision + 1 }, own.revision)
}

async function withCode(store: Pick<Store, 'entities'>, code: string) {
  const filter = { field: { path: 'code', list: false }, op: 'eq' as const, value: code }
  return (await store.entities.list(main, aQuery({ filter }))).entities
}

async function addWithCode(tx: Transaction, id: string, code: string): Promise<void> {
  if ((await withCode(tx, code)).length > 0) return
  await tx.entities.put(anEntity({ id, values: indexed({ code }) }), 0)
}

async function childrenOf(store: Pick<Store, 'entities'>, folderId: string) {
  const filter = { field: { member: 'parentId' as const }, op: 'in' as const, value: [folderId] }
  return (await store.entities.list(main, aQuery({ filter }))).entities
}

async function deleteLive(tx: Transaction, entity: EntityWrite): Promise<void> {
  const head = await tx.entities.get(main, entity.kind, entity.id)
  if (!head || head.deletedDate !== null) return
  await tx.entities.put({ ...entity, ...head, deletedDate: 9, revision: head.revision + 1 }, head.revision)
}

async function deleteIfEmpty(tx: Transaction, folder: EntityWrite): Promise<void> {
  if ((await childrenOf(tx, folder.id)).length === 0) await deleteLive(tx, folder)
}

async function addTo(tx: Transaction, folder: EntityWrite, id: string): Promise<void> {
  const head = await tx.entities.get(main, 'folder', folder.id)
  if (head?.deletedDate === null) await tx.entities.put(anEntity({ id, parentId: folder.id }), 0)
}

async function deleteIfUnreferenced(tx: Transaction, target: EntityWrite): Promise<void> {
  if ((await tx.entities.incoming(main, target.id, 1)).length === 0) await deleteLive(tx, target)
}

async function referTo(tx: Transaction, target: EntityWrite, id: string): Promise<void> {
  const head = await tx.entities.get(main, 'item', target.id)
  if (head?.deletedDate !== null) return
  const edges = [{ path: 'link', targetId: target.id, onDelete: 'restrict' as const }]
  await tx.entities.put(anEntity({ id, edges }), 0)
}

/** The parents of a folder; ends with `circle` if there is one. */
async function pathOf(store: Pick<Store, 'entities'>, id: string): Promise<string[]> {
  const path: string[] = []
  for (let at: string | null = id; at !== null;) {
    if (path.includes(at)) return [...path, 'circle']
    path.push(at)
    at = (await store.entities.get(main, 'folder', at))?.parentId ?? null
  }
  return path
}

async function moveBelow(tx: Transaction, id: string, parentId: string): Promise<void> {
  if ((await pathOf(tx, parentId)).includes(id)) return
  const head = await tx.entities.get(main, 'folder', id)
  if (!head) throw new Error('The folder is gone.')
  await tx.entities.put({ ...anEntity(), ...head, parentId, revision: head.revision + 1 }, head.revision)
}

async function countEach(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const head = await tx.entities.get(main, 'item', id)
    if (!head) throw new Error('The entity is gone.')
    const body = { count: Number(head.body['count']) + 1 }
    await tx.entities.put(nextVersion({ ...anEntity(), ...head }, { body }), head.revision)
  }
}

async function newestSequence(store: Store): Promise<number> {
  return (await store.journal.readBack({ limit: 1 }))[0]?.sequence ?? 0
}

async function remove(tx: Transaction, id: string, round: number): Promise<void> {
  const group = await tx.records.get('group', id)
  if (!group) throw new Error('The record is gone.')
  await tx.records.delete('group', id, group.revision)
  await tx.journal.record(anEntry({ event: 'REMOVED', version: round }))
}

async function useRight(tx: Transaction, right: string, id: string): Promise<void> {
  if (!(await tx.records.get('group', right))) return
  await tx.entities.put(anEntity({ id }), 0)
  await tx.journal.record(anEntry({ event: 'USED', entityId: id }))
}
