import type { Api, Item, Package } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aJob } from '@quire/testkit'
import { locations, type TestEngine } from './engine.ts'

const dayMs = 24 * 60 * 60 * 1000
const configId = 'magazine'
const [repo, packageName] = [configId, 'issue']

let location: TestEngine
let api: Api
let repositoryId: string

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error && typeof error === 'object' && 'code' in error ? error.code : error
}

const create = (name: string, given: object = {}) =>
  api.items.create({ repositoryId, type: 'article', name, fields: { title: name }, ...given })
const remove = ({ id }: Pick<Item, 'id'>, given: object = {}) => api.items.delete({ configId, id, ...given })
const undelete = ({ id }: Pick<Item, 'id'>, given: object = {}) =>
  api.items.undelete({ configId, id, ...given })
const newPackage = (): Promise<Package> => api.packages.create({ repo, name: packageName })

async function prepare(): Promise<void> {
  ;({ api } = location)
  repositoryId = (await api.repositories.create({ name: configId })).id
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
}

/** Advances the clock, runs a purge, and returns the result of the job. */
async function purgeAfter(days: number): Promise<unknown> {
  location.clock.advance(days * dayMs + 1)
  const job = await location.run('items.purge')
  expect(job).toMatchObject({ state: 'succeeded' })
  return job.result
}

describe.each(locations)('a purge %s', (_name, open) => {
  beforeEach(async () => {
    location = await open()
    await prepare()
  })
  afterEach(() => location.close())

  it('removes entities that were deleted long enough ago, with all their versions, and nothing newer', async () => {
    const [old, young, alive] = [await create('Old'), await create('Young'), await create('Alive')]
    await api.items.update({ configId, id: old.id, name: 'Older' })
    await remove(old)
    location.clock.advance(dayMs)
    await remove(young)
    expect(await purgeAfter(28)).toEqual({ purged: 0, stored: 0 })
    expect(await purgeAfter(1)).toEqual({ purged: 1, stored: 0 })
    const branch = { repositoryId, packageId: null }
    expect(await location.store.entities.get(branch, 'item', old.id)).toBeNull()
    expect(
      await location.store.entities.versions(branch, { kind: 'item', id: old.id }, { limit: 9 }),
    ).toEqual([])
    expect(await codeOf(undelete(old))).toBe('not_found')
    await undelete(young)
    expect((await api.items.list({ configId })).items.map(({ id }) => id).toSorted()).toEqual(
      [young.id, alive.id].toSorted(),
    )
    const entries = await location.store.journal.read({ after: 0, limit: 99, entityId: old.id })
    expect(entries.map(({ event }) => event)).toEqual(['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_DELETED'])
  })

  it('uses the number of days in the settings', async () => {
    const item = await create('Short')
    await remove(item)
    await api.admin.updateSettings({ deletedItemsKeptDays: 3 })
    expect(await purgeAfter(2)).toEqual({ purged: 0, stored: 0 })
    expect(await purgeAfter(1)).toEqual({ purged: 1, stored: 0 })
  })

  it('removes folders, taxonomies and categories, too', async () => {
    const folder = await api.folders.create({ configId, name: 'Shelf' })
    const taxonomy = await api.taxonomies.create({ configId, name: 'Subjects' })
    const category = await api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Ink' })
    await api.folders.delete({ configId, id: folder.id })
    await api.categories.delete({ configId, taxonomyId: taxonomy.id, id: category.id })
    await api.taxonomies.delete({ configId, id: taxonomy.id })
    expect(await purgeAfter(31)).toEqual({ purged: 3, stored: 0 })
    const page = { before: location.clock.now(), limit: 9 }
    expect(await location.store.entities.deletedBefore(page)).toEqual([])
  })

  it('makes no item public in a locale in which it is not', async () => {
    const list = [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'Deutsch' },
    ]
    const [languages, slug] = ['languages', 'ink']
    await api.repositories.create({ name: languages, settings: { locales: { default: 'en', list } } })
    const { id } = await create('Ink', { repositoryId: languages, slug })
    await api.items.publish({ configId: languages, id, locales: ['en'] })
    const inGerman = () => codeOf(api.published.itemBySlug({ configId: languages, slug, locale: 'de' }))
    expect(await inGerman()).toBe('not_found')
    expect(await purgeAfter(400)).toEqual({ purged: 0, stored: 0 })
    expect(await inGerman()).toBe('not_found')
    expect(await api.published.itemBySlug({ configId: languages, slug })).toMatchObject({ id })
  })

  it('lets an item be imported again, and read as it is now, whatever its first revision was', async () => {
    const [languages, slug] = ['languages', 'ink']
    const list = [{ code: 'en', name: 'English' }]
    const { id: ofLanguages } = await api.repositories.create({
      name: languages,
      settings: { locales: { default: 'en', list } },
    })
    const { id } = await create('Ink', { repositoryId: languages, slug })
    const title = async () => (await api.items.getBySlug({ configId: languages, slug })).fields?.['title']
    expect([await title(), await title()]).toEqual(['Ink', 'Ink'])
    await api.items.update({ configId: languages, id, fields: { title: 'Better ink' } })
    const exported = await api.repositories.export({ id: languages })
    const file = new File([Uint8Array.from(await exported.bytes())], 'languages.zip')
    await api.items.delete({ configId: languages, id })
    location.clock.advance(31 * dayMs + 1)
    const records = location.store.records.generation()
    const at = { runAt: location.clock.now(), createdAt: location.clock.now() }
    const job = aJob('JOB_1', { kind: 'items.purge', ...at })
    await location.store.transaction((tx) => tx.jobs.enqueue(job))
    location.quire.work()
    const main = { repositoryId: ofLanguages, packageId: null }
    await expect.poll(() => location.store.entities.get(main, 'item', id)).toBeNull()
    await api.repositories.import({ id: languages, file })
    // A changed record would be another reason to forget what was read.
    expect(location.store.records.generation()).toBe(records)
    expect(await api.items.getBySlug({ configId: languages, slug })).toMatchObject({ id })
    expect(await title()).toBe('Better ink')
  })

  it('processes everything page by page, and skips what must stay', async () => {
    const items: Item[] = []
    for (let count = 0; count < 230; count++) items.push(await create(`Many ${count}`))
    await newPackage()
    for (const { id } of items.slice(0, 120)) await api.items.update({ configId, id, packageName, name: 'x' })
    for (const item of items) await remove(item)
    expect(await purgeAfter(31)).toEqual({ purged: 110, stored: 120 })
    expect(await purgeAfter(1)).toEqual({ purged: 0, stored: 120 })
    await api.packages.delete({ repo, packageName })
    expect(await purgeAfter(1)).toEqual({ purged: 120, stored: 0 })
  })

  it('does not affect an open package: main retains the entities that it changes', async () => {
    const item = await create('Held', { description: 'before' })
    await newPackage()
    await api.items.update({ configId, id: item.id, packageName, description: 'after' })
    await remove(item)
    const plan = () => api.packages.changes({ repo, packageName })
    const before = await plan()
    expect(await purgeAfter(40)).toEqual({ purged: 0, stored: 1 })
    expect(await plan()).toEqual(before)
    const conflicts = await api.packages.merge({ repo, packageName }).catch((error: unknown) => error)
    expect(conflicts).toMatchObject({ code: 'merge_conflict' })
    const resolutions = [{ id: item.id, path: '', use: 'ours' as const }]
    await api.packages.merge({ repo, packageName, resolutions })
    expect(await api.items.get({ configId, id: item.id })).toMatchObject({
      description: 'after',
      latestVersion: 2,
    })
  })

  it('retains deletions in a package, because they are its changes', async () => {
    const item = await create('Marked')
    await newPackage()
    await remove(item, { packageName })
    expect(await purgeAfter(40)).toEqual({ purged: 0, stored: 1 })
    expect(await codeOf(api.items.get({ configId, id: item.id, packageName }))).toBe('not_found')
    await api.packages.merge({ repo, packageName })
    expect(await codeOf(api.items.get({ configId, id: item.id }))).toBe('not_found')
    // The merged package still lists its change. On main, the item counts as deleted since the
    // merge.
    expect(await purgeAfter(31)).toEqual({ purged: 1, stored: 1 })
    expect((await api.packages.changes({ repo, packageName })).items).toHaveLength(1)
  })

  it('removes entities that a package created and deleted again', async () => {
    await newPackage()
    const item = await create('Made here', { packageName })
    await remove(item, { packageName })
    const other = await create('Stays', { packageName })
    expect(await purgeAfter(31)).toEqual({ purged: 1, stored: 0 })
    expect(await codeOf(undelete(item, { packageName }))).toBe('not_found')
    await api.packages.merge({ repo, packageName })
    expect((await api.items.list({ configId })).items.map(({ id }) => id)).toEqual([other.id])
  })

  it('does not retain changes of merged packages, and reverting such a package skips purged entities', async () => {
    const [gone, stays] = [await create('Gone'), await create('Stays')]
    await newPackage()
    for (const { id } of [gone, stays]) await api.items.update({ configId, id, packageName, name: 'Changed' })
    await api.packages.merge({ repo, packageName })
    await remove(gone)
    expect(await purgeAfter(31)).toEqual({ purged: 1, stored: 0 })
    const { name } = await api.packages.revert({ repo, packageName })
    await api.packages.merge({ repo, packageName: name })
    expect(await api.items.get({ configId, id: stays.id })).toMatchObject({ name: 'Stays' })
  })

  it('retains what limits who may read the version of a merged package', async () => {
    const [closed, open] = [await create('Closed'), await create('Open')]
    await newPackage()
    for (const { id } of [closed, open]) await api.items.update({ configId, id, packageName, name: 'Secret' })
    await api.packages.merge({ repo, packageName })
    const role = await api.roles.create({ name: 'Insiders' })
    await api.items.update({ configId, id: closed.id, readPerm: [role.id] })
    for (const item of [closed, open]) await remove(item)
    expect(await purgeAfter(31)).toEqual({ purged: 1, stored: 1 })
    const branch = { repositoryId, packageId: (await api.packages.get({ repo, packageName })).id }
    const heads = await location.store.entities.getMany(branch, 'item', [closed.id, open.id])
    const readers = new Map(heads.map(({ id, mainReaders }) => [id, mainReaders]))
    expect([readers.get(closed.id), readers.get(open.id)]).toEqual([[role.id], undefined])
  })

  it('retains entities that are restored, on main or in a package, during the purge', async () => {
    await location.close()
    let meddle: () => Promise<unknown> = async () => undefined
    location = await open({ over: (store) => meddledStore(store, () => meddle()) })
    await prepare()
    const [back, accepted, gone] = [await create('Back'), await create('Taken'), await create('Gone')]
    await newPackage()
    for (const item of [back, accepted, gone]) await remove(item)
    meddle = async () => {
      const other = createQuire({ store: location.store, clock: location.clock }).as(systemIdentity('other'))
      await other.items.undelete({ configId, id: back.id })
      await other.items.undelete({ configId, id: accepted.id, packageName })
    }
    expect(await purgeAfter(31)).toEqual({ purged: 1, stored: 2 })
    expect(await api.items.get({ configId, id: back.id })).toMatchObject({ name: 'Back' })
    expect(await api.items.get({ configId, id: accepted.id, packageName })).toMatchObject({ name: 'Taken' })
  })
})

/** A store that runs an action once between the search of a purge and its transaction. */
function meddledStore(store: Store, meddle: () => Promise<unknown>): Store {
  let isArmed = false
  return {
    ...store,
    entities: {
      ...store.entities,
      deletedBefore(page) {
        isArmed = true
        return store.entities.deletedBefore(page)
      },
    },
    async transaction(work, options) {
      if (isArmed) {
        isArmed = false
        await meddle()
      }
      return store.transaction(work, options)
    },
  }
}
