import { createQuire } from '@quire/core'
import { openPostgresStore } from '@quire/store-postgres'
import { seededIds } from '@quire/core/memory'
import { describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../../../test/services/postgres.ts'
import { caller, repo, type MagazineEngine } from '../../../testkit/src/packages/magazine-engine.ts'
import { answersTo, readsOfMain } from '../../../testkit/src/packages/reads-of-main.ts'
import { textOfStore } from '../../../testkit/src/packages/store-text.ts'
import { copyInstallation, verifyInstallation } from '../../src/migrate-store/installation.ts'
import { aTarget, aUsedFolder, change, migrating } from './fixture.ts'

describe.skipIf(testDatabase === null)(`an installation that was copied to PostgreSQL ${location}`, () => {
  it('answers as before, and accepts changes', { timeout: 120_000 }, async () => {
    const { data, history } = await aUsedFolder(240)
    const { engine, ids, assets } = history
    const reads = await readsOfMain(engine, { ids: ids.slice(0, 12), assets: assets.slice(0, 4) })
    const answers = await answersTo(engine, reads)
    const found = await searches(engine)
    const text = await textOf(engine)
    await engine.quire.close()

    const database = aTarget()
    const copied = await migrating(data, { database }, copyInstallation)
    expect(copied).toMatchObject({ compared: { withoutNul: 2, differences: [] }, blobs: null })

    const store = await openPostgresStore(database)
    const { clock } = engine
    const { blobs } = await folderBlobs(data)
    const quire = createQuire({ store, clock, blobs, ids: seededIds(2, clock) })
    const moved: MagazineEngine = { ...engine, store, quire, api: quire.as(caller) }
    expect(await answersTo(moved, reads)).toEqual(answers)
    expect(await searches(moved)).toEqual(found)
    expect(await textOf(moved)).toBe(text)
    await workOn(moved, ids)
    await quire.close()
  })

  it('is compared row by row: changed, lost and added rows are found', { timeout: 120_000 }, async () => {
    const { data, history } = await aUsedFolder(60)
    await history.engine.quire.close()
    const database = aTarget()
    await migrating(data, { database }, copyInstallation)
    const verify = () => migrating(data, { database }, verifyInstallation)
    expect((await verify()).compared.differences).toEqual([])
    const one = (table: string) => `ctid = (SELECT min(ctid) FROM ${table})`
    const wrong = [
      [
        `UPDATE bodies SET body = overlay(body PLACING 'x' FROM 3) WHERE ${one('bodies')}`,
        /bodies has \d+ rows on both sides/,
      ],
      [`DELETE FROM version_blobs WHERE ${one('version_blobs')}`, /version_blobs has \d+ rows instead of/],
      [
        `UPDATE search SET words = words || ' more' WHERE ${one('search')}`,
        /search has \d+ rows on both sides/,
      ],
      [`INSERT INTO ephemera VALUES ('one', 'more', 1)`, /ephemera has \d+ rows/],
    ] as const
    for (const [text, message] of wrong) {
      expect(await change(database.schema, text)).toBe(1)
      await expect(verify()).rejects.toThrow(message)
    }
  })
})

async function folderBlobs(data: string) {
  const { openFileBlobs } = await import('@quire/blobs-fs')
  return { blobs: await openFileBlobs({ folder: `${data}/blobs`, minFreeBytes: 0 }) }
}

/** Everything in a store except the keys, which servers on one database add. */
async function textOf({ store }: MagazineEngine): Promise<string> {
  const { records, ...rest } = JSON.parse(await textOfStore(store))
  return JSON.stringify({ ...rest, records: { ...records, keyRing: [] } })
}

async function searches({ api }: MagazineEngine): Promise<unknown[]> {
  const words = ['article', 'artic', '"Article 1"', 'odd', '😀', 'title 13', 'picture', 'x', 'nothing']
  return Promise.all(
    words.flatMap((text) =>
      [{}, { packageName: 'one' }, { packageName: 'two' }].map(async (branch) => {
        const { items, count } = await api.items.list({ configId: repo, ...branch, text, limit: 1000 })
        return [text, branch, count, items.map(({ id }) => id)]
      }),
    ),
  )
}

async function workOn({ api, store }: MagazineEngine, ids: readonly string[]): Promise<void> {
  const before = await lastEntry(store)
  const made = await api.items.create({ repositoryId: repo, type: 'article', name: 'Made on PostgreSQL' })
  const id = ids.at(-1) ?? ''
  const item = await api.items.get({ configId: repo, id })
  const updated = await api.items.update({ configId: repo, id, description: 'Changed on PostgreSQL' })
  expect(updated.currentVersion).toBe((item.currentVersion ?? 0) + 1)
  const { items } = await api.items.list({ configId: repo, text: 'postgresql' })
  expect(items.map((one) => one.id).toSorted()).toEqual([made.id, id].toSorted())
  expect(await lastEntry(store)).toBe(before + 2)
}

async function lastEntry({ journal }: MagazineEngine['store']): Promise<number> {
  for (let after = 0; ;) {
    const rows = await journal.read({ after, limit: 1000 })
    const last = rows.at(-1)
    if (!last) return after
    after = last.sequence
  }
}
