import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, expect, it } from 'vitest'

const configId = 'magazine'
const forbidden = { code: 'forbidden' }
let closing: () => Promise<void>
afterEach(() => closing())

/** An item in two locales, and a caller who may read everything, create packages and write German. */
async function withGerman(hooks: Parameters<typeof createQuire>[0]['hooks'] = {}) {
  const quire = createQuire({ store: createMemoryStore(), hooks })
  closing = () => quire.close()
  const api = quire.as(systemIdentity('test'))
  const locales = { default: 'en', list: ['en', 'de'].map((code) => ({ code, name: code })) }
  const { id: repositoryId } = await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({
    name: 'story',
    fields: [
      { name: 'title', kind: 'text', localized: true },
      { name: 'sku', kind: 'text', unique: true },
    ],
  })
  const members = { repositoryId: configId, type: 'story', locale: '*' }
  const fields = { title: { en: 'Ink', de: 'Tinte' }, sku: 'A' }
  const { id } = await api.items.create({ ...members, name: 'Ink', fields })
  await api.items.create({ ...members, name: 'Pen', fields: { sku: 'B' } })
  const role = await api.roles.create({
    name: 'German',
    bundles: ['bundle.viewer'],
    permissions: {
      global: ['packages.create', 'packages.view'],
      repos: { [`${repositoryId}@de`]: ['items.update', 'items.publish'] },
    },
  })
  await api.users.create({ id: 'ada@example.org', name: 'Ada', roles: [role.id] })
  const german = quire.as({ kind: 'user', id: 'ada@example.org' })
  const ref = { configId, id }
  return { api, german, repositoryId, roleId: role.id, ref, whole: () => wholeOf(api, ref) }
}

function wholeOf(api: Api, ref: { configId: string; id: string; packageName?: string }) {
  return api.items.get({ ...ref, locale: '*' })
}

it('a hook changes no more than its caller may', async () => {
  const { german, ref, whole } = await withGerman({
    item: {
      before: ({ operation, input }) =>
        operation === 'items.update' && input['name'] === undefined
          ? { ...input, fields: { sku: 'C' } }
          : input,
    },
  })
  const item = await whole()
  const change = { ...ref, locale: 'de', fields: { title: 'Farbe' } }
  await expect(german.items.update(change)).rejects.toMatchObject(forbidden)
  const bulk = { configId, ids: [ref.id], action: 'update' as const, input: { fields: {} } }
  await expect(german.items.bulk({ ...bulk, atomic: true })).rejects.toMatchObject(forbidden)
  expect(await whole()).toEqual(item)
  // The hook leaves this one as it is.
  await german.items.update({ ...change, name: 'Ink' })
})

it('a save into a package by a rule is limited, too', async () => {
  const { api, german, repositoryId, ref, whole } = await withGerman()
  const members = { types: ['story'], folders: [], statuses: [], packageNameTemplate: null }
  const rule = await api.autoPackageRules.create({ ...members, repositoryId, name: 'All', enabled: true })
  const item = await whole()
  await expect(
    german.items.update({ ...ref, locale: 'de', fields: { title: 'Farbe' } }),
  ).rejects.toMatchObject({ code: 'auto_package_required' })
  await expect(german.items.update({ ...ref, fields: { title: 'Dye' } })).rejects.toMatchObject(forbidden)
  const save = (fields: Record<string, string>, locale: string) =>
    german.autoPackage.createAndSave({
      repositoryId,
      ruleId: rule.id,
      item: { id: ref.id, fields, locale },
      packageAction: 'createNew',
      newPackageName: `german ${locale}`,
    })
  await expect(save({ title: 'Dye' }, 'en')).rejects.toMatchObject(forbidden)
  expect((await api.packages.list({ repo: configId })).count).toBe(0)
  await save({ title: 'Farbe' }, 'de')
  expect((await wholeOf(api, { ...ref, packageName: 'german de' })).fields?.['title']).toEqual({
    en: 'Ink',
    de: 'Farbe',
  })
  expect(await whole()).toEqual(item)
})

it('no error tells what other items, folders or roles there are', async () => {
  const { german, ref, whole } = await withGerman()
  const item = await whole()
  const changes = [
    { fields: { sku: 'B' } },
    { fields: { sku: 'C' } },
    { slug: 'pen' },
    { slug: 'none' },
    { folderId: 'FOLD_NONE' },
    { readPerm: ['ROLE_NONE'] },
  ]
  const messages = await Promise.all(
    changes.map((change) => german.items.update({ ...ref, ...change }).catch(String)),
  )
  const limit = 'Your roles limit items.update to de: they do not permit a change of'
  const paths = ['fields.sku', 'fields.sku', 'slug', 'slug', 'folderId', 'readPerm']
  expect(messages).toEqual(paths.map((path) => `QuireError: ${limit} ${path}.`))
  expect(await whole()).toEqual(item)
})

it('a right that is gone limits the next call, and a schedule names its locales', async () => {
  const { api, german, roleId, ref } = await withGerman()
  await german.items.publish({ ...ref, locales: ['de'], at: Date.now() + 60_000 })
  const [job] = (await api.queue.list({ kind: 'item.publish' })).items
  expect(job).toMatchObject({ payload: { id: ref.id } })
  await api.roles.update({ id: roleId, permissions: { global: [], repos: {}, sites: {} } })
  await expect(german.items.publish({ ...ref, locales: ['de'] })).rejects.toMatchObject(forbidden)
})
