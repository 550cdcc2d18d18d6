import { StoreConflict, type Store, type Transaction } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, inPackageOf } from '../entity.ts'
import { main, packageId, write, type StoreTest, item } from './fixture.ts'
import { aGroup, anEntry } from './record-samples.ts'

const RACERS = 50

const article = anEntity({ id: 'CONT_1', slug: 'news' })

export function raceLaws(test: StoreTest): void {
  describe('with fifty at once', () => {
    test('exactly one writes the version after a revision, and the others are stale', async ({ store }) => {
      await write(store, article)
      const outcome = await race(store, (tx, racer) =>
        tx.entities.put(nextVersion(article, { name: `Racer ${racer}` }), 1),
      )
      expect(outcome).toMatchObject({ won: 1, lost: RACERS - 1, conflicts: ['stale CONT_1'] })
      const head = await store.entities.get(main, 'item', 'CONT_1')
      expect(head).toMatchObject({ version: 2, revision: 2, name: `Racer ${outcome.winner}` })
      expect(await store.entities.versions(main, item('CONT_1'), { limit: 99 })).toHaveLength(2)
    })

    test('exactly one adds an entity to a package', async ({ store }) => {
      await write(store, article)
      const outcome = await race(store, (tx) => tx.entities.put(inPackageOf(packageId, article), 0))
      expect(outcome).toMatchObject({ won: 1, conflicts: ['stale CONT_1'] })
    })

    test('exactly one new entity gets a slug', async ({ store }) => {
      const outcome = await race(store, (tx, racer) =>
        tx.entities.put(anEntity({ id: `CONT_${racer}`, slug: 'news' }), 0),
      )
      expect(outcome).toMatchObject({ won: 1, lost: RACERS - 1, conflicts: ['slug news'] })
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe(
        `CONT_${outcome.winner}`,
      )
    })

    test('exactly one writes a record after a revision', async ({ store }) => {
      await store.transaction((tx) => tx.records.put('group', aGroup('GRUP_1'), 0))
      const outcome = await race(store, (tx) => tx.records.put('group', aGroup('GRUP_1'), 1))
      expect(outcome).toMatchObject({ won: 1, lost: RACERS - 1, conflicts: ['stale GRUP_1'] })
    })

    test('exactly one deletes a record', async ({ store }) => {
      await store.transaction((tx) => tx.records.put('group', aGroup('GRUP_1'), 0))
      expect(await race(store, (tx) => tx.records.delete('group', 'GRUP_1', 1))).toMatchObject({ won: 1 })
    })

    test('exactly one new record gets a key', async ({ store }) => {
      const outcome = await race(store, (tx, racer) =>
        tx.records.put('group', aGroup(`GRUP_${racer}`, { name: 'Editors' }), 0),
      )
      expect(outcome).toMatchObject({ won: 1, lost: RACERS - 1, conflicts: ['key name:Editors'] })
    })

    test('exactly one takes a value', async ({ store }) => {
      await store.transaction((tx) => tx.ephemera.put('key', 'value', 100))
      const accepted = await all(store, (tx) => tx.ephemera.take('key', 1))
      expect(accepted.filter((value) => value !== null)).toEqual(['value'])
    })

    test('each count gets a different number', async ({ store }) => {
      const counts = await all(store, (tx) => tx.ephemera.increment('count', 1, 100))
      expect(counts.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: RACERS }, (_, index) => index + 1),
      )
    })

    test('each entry gets a different sequence, in the order of commits', async ({ store }) => {
      await all(store, (tx, racer) => tx.journal.record(anEntry({ version: racer })))
      const rows = await store.journal.read({ after: 0, limit: 99 })
      expect(new Set(rows.map(({ sequence }) => sequence)).size).toBe(RACERS)
      expect(new Set(rows.map(({ version }) => version)).size).toBe(RACERS)
    })

    test('no write is lost between the read and the write of another', async ({ store }) => {
      await write(store, anEntity({ id: 'CONT_1', body: { count: 0 } }))
      await all(store, async (tx) => {
        const head = await tx.entities.get(main, 'item', 'CONT_1')
        if (!head) throw new Error('The entity is gone.')
        const next = anEntity({ ...head, version: head.version + 1, revision: head.revision + 1 })
        await tx.entities.put({ ...next, body: { count: Number(head.body['count']) + 1 } }, head.revision)
      })
      const head = await store.entities.get(main, 'item', 'CONT_1')
      expect(head).toMatchObject({ body: { count: RACERS }, version: RACERS + 1 })
    })
  })
}

function all<T>(store: Store, work: (tx: Transaction, racer: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: RACERS }, (_, racer) => store.transaction((tx) => work(tx, racer))))
}

async function race(store: Store, work: (tx: Transaction, racer: number) => Promise<unknown>) {
  const attempts = Array.from({ length: RACERS }, (_, racer) => store.transaction((tx) => work(tx, racer)))
  const outcomes = await Promise.allSettled(attempts)
  const losers = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => conflictOf(reason))
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
  return { won: RACERS - losers.length, lost: losers.length, winner, conflicts: [...new Set(losers)] }
}

function conflictOf(error: unknown): string {
  return error instanceof StoreConflict ? `${error.kind} ${error.subject}` : String(error)
}
