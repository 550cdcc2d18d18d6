import type { FieldInput } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { expect, it } from 'vitest'
import { js2xliff, xliff2js } from 'xliff'

const configId = 'magazine'

it.each(['2.1', '2.2'] as const)('XLIFF %s is read and written by another library', async (xliffVersion) => {
  let saves = 0
  const hooks = { item: { before: () => void (saves += 1) } }
  const quire = createQuire({ store: createMemoryStore(), hooks })
  const api = quire.as(systemIdentity('test'))
  const locales = { default: 'en', list: ['en', 'de'].map((code) => ({ code, name: code })) }
  await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({ name: 'story', fields: [{ name: 'text', kind: 'richText', localized: true }] })
  const text = '<p>Ink and <em>paper</em>,\nby "Ada"</p>'
  const { id } = await api.items.create({
    repositoryId: configId,
    type: 'story',
    name: 'Ink',
    fields: { text },
  })
  await api.packages.create({ repo: configId, name: 'german' })
  const answer = await api.translations.export({ configId, locale: 'de', xliffVersion })

  const document = await xliff2js(new TextDecoder().decode(await answer.bytes()))
  const unit = document.resources[id]?.['fields.text']
  expect(unit).toMatchObject({ source: text })
  const target = '<p>Tinte und <em>Papier</em></p>'
  const translated = {
    ...document,
    targetLanguage: 'de',
    resources: { [id]: { 'fields.text': { ...unit, target } } },
  }
  const written = await js2xliff(translated, { indent: '', targetXliffVersion: xliffVersion })

  const file = new File([written], 'de.xlf')
  expect(await api.translations.import({ configId, packageName: 'german', file })).toMatchObject({
    translated: 1,
  })
  // The item was created and translated.
  expect(saves).toBe(2)
  const item = await api.items.get({ configId, packageName: 'german', id, locale: 'de' })
  expect(item.fields).toEqual({ text: target })
  await quire.close()
})

const packageName = 'german'

/** A repository with an item in two locales, and a package for its translations. */
async function withItem(store: Store, { fields, values }: { fields: FieldInput[]; values: object }) {
  const quire = createQuire({ store })
  const api = quire.as(systemIdentity('test'))
  const locales = { default: 'en', list: ['en', 'de'].map((code) => ({ code, name: code })) }
  await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({ name: 'story', fields })
  const item = { repositoryId: configId, type: 'story', name: 'Ink', locale: '*', fields: { ...values } }
  const { id } = await api.items.create(item)
  await api.packages.create({ repo: configId, name: packageName })
  const exported = async () => {
    const answer = await api.translations.export({ configId, packageName, locale: 'de' })
    return new TextDecoder().decode(await answer.bytes())
  }
  const imported = (text: string) =>
    api.translations.import({ configId, packageName, file: new File([text], 'de.xlf') })
  return { quire, api, id, exported, imported }
}

it('translations are not confirmed for a source that has changed during the import', async () => {
  let beforeTransaction: () => Promise<unknown> = async () => undefined
  const store = withBefore(createMemoryStore(), () => beforeTransaction())
  const { quire, api, id, exported, imported } = await withItem(store, {
    fields: ['title', 'text'].map((name) => ({ name, kind: 'text', localized: true })),
    values: { title: { en: 'Ink', de: 'Tinte' }, text: { en: 'Blue' } },
  })
  const write = (title: string) => api.items.update({ configId, packageName, id, fields: { title } })
  const { currentVersion } = await write('Black ink')
  const text = (await exported())
    .replace(/state="initial" subState="quire:outdated-\w+"/, 'state="reviewed"')
    .replace('<source>Blue</source>', '<source>Blue</source><target>Blau</target>')
  beforeTransaction = async () => {
    beforeTransaction = async () => undefined
    await write('Pencil')
  }
  const report = await imported(text)
  expect(report).toMatchObject({ translated: 1, confirmed: 0, refuse: 1 })
  const message = `The item has version ${currentVersion + 1} by now: look at its translations again.`
  expect(report.refused).toEqual([{ itemId: id, path: 'fields.title', line: 4, message }])
  const { items } = await api.translations.list({ configId, packageName, locale: 'de', state: ['outdated'] })
  expect(items[0]?.translations).toMatchObject([{ path: 'fields.title' }])
  await quire.close()
})

it('more texts are refused than one error names, and the others are one version', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `text${at}`)
  const settings = { maxLength: 3 }
  const { quire, api, id, exported, imported } = await withItem(createMemoryStore(), {
    fields: names.map((name) => ({ name, kind: 'text', localized: true, settings })),
    values: Object.fromEntries(names.map((name) => [name, { en: 'ink' }])),
  })
  const targets = names.map((_, at) => (at === 7 ? 'Tee' : 'Tinte'))
  const text = (await exported()).replaceAll(
    '<source>ink</source>',
    (source) => `${source}<target>${targets.shift()}</target>`,
  )
  const report = await imported(text)
  expect(report).toMatchObject({ items: 1, translated: 1, refuse: 49 })
  expect(new Set(report.refused.map((one) => one.message))).toEqual(
    new Set(['must have at most 3 characters']),
  )
  const item = await api.items.get({ configId, packageName, id, locale: 'de' })
  expect(item).toMatchObject({ currentVersion: 2, fields: { text7: 'Tee' } })
  await quire.close()
})

/** The same store, doing something before each transaction. */
function withBefore(store: Store, before: () => Promise<unknown>): Store {
  const transaction: Store['transaction'] = async (work, options) => {
    await before()
    return store.transaction(work, options)
  }
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
