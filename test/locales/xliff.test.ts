import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
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
