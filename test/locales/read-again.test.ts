import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const configId = 'read'
const folder = mkdtempSync(join(tmpdir(), 'quire-read-'))
let quire: Quire
let api: Api

/** More than the store keeps of whole heads (32 million characters). */
const [count, length] = [45, 800_000]
const locales = {
  default: 'en',
  list: [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch', fallback: 'en' },
  ],
}

beforeAll(async () => {
  quire = createQuire({ store: await openSqliteStore({ file: join(folder, 'quire.db') }) })
  api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: configId, settings: { locales } })
  const text = { kind: 'text', localized: true } as const
  const price = { name: 'price', kind: 'number' } as const
  await api.types.create({
    name: 'story',
    fields: [{ ...text, name: 'title' }, { ...text, name: 'body' }, price],
  })
  for (let index = 0; index < count; index++)
    await api.items.create({
      repositoryId: configId,
      type: 'story',
      name: `Story ${index}`,
      slug: `story-${index}`,
      locale: '*',
      fields: {
        title: { en: `Story ${index}`, de: `Geschichte ${index}` },
        body: { en: 'e'.repeat(length), de: 'kurz' },
        price: 1,
      },
    })
})
afterAll(async () => {
  await quire.close()
  rmSync(folder, { recursive: true })
})

/** The same read by slug, by id and in a list, which must not differ. */
async function read(slug: string, locale: string, packageName?: string) {
  const on = { configId, locale, ...(packageName !== undefined && { packageName }) }
  const found = await api.items.getBySlug({ ...on, slug })
  expect(await api.items.get({ ...on, id: found.id, version: String(found.currentVersion) })).toEqual(found)
  expect((await api.items.list({ ...on, filter: { slug } })).items).toEqual([found])
  return found
}

const german = async (slug: string, packageName?: string) => (await read(slug, 'de', packageName)).fields

describe('an item that is read again in a locale', () => {
  it('is the same, also when the store has no JSON of it in memory any more', async () => {
    for (const _round of [1, 2, 3])
      for (let index = 0; index < count; index++) {
        const { fields } = await api.items.getBySlug({ configId, slug: `story-${index}`, locale: 'de' })
        expect(fields).toEqual({ title: `Geschichte ${index}`, body: 'kurz', price: 1 })
      }
    const english = await api.items.getBySlug({
      configId,
      slug: 'story-0',
      locale: 'en',
      select: ['name', 'fields.title'],
    })
    expect(english).toMatchObject({ name: 'Story 0', fields: { title: 'Story 0' } })
  })

  it('shows each change: of itself, in a package and after its discard, of a category, of its type', async () => {
    const slug = 'story-1'
    const { id } = await read(slug, 'de')
    await api.items.update({ configId, id, fields: { price: 2 } })
    expect(await german(slug)).toMatchObject({ price: 2 })
    await api.items.update({ configId, id, locale: 'de', fields: { title: null } })
    expect(await german(slug)).toMatchObject({ title: 'Story 1' })
    const alone = { configId, slug, locale: 'de', fallback: false }
    for (const _again of [1, 2]) expect((await api.items.getBySlug(alone)).fields).not.toHaveProperty('title')
    expect(await german(slug)).toMatchObject({ title: 'Story 1' })

    await api.packages.create({ repo: configId, name: 'next' })
    for (const price of [10, 11]) {
      await api.items.update({ configId, id, packageName: 'next', fields: { price } })
      expect(await german(slug, 'next')).toMatchObject({ price })
      expect(await german(slug)).toMatchObject({ price: 2 })
      await api.packages.removeChange({ repo: configId, packageName: 'next', entityId: id })
      expect(await german(slug, 'next')).toMatchObject({ price: 2 })
    }

    const taxonomy = await api.taxonomies.create({ configId, name: 'Topics' })
    const category = await api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Ink' })
    await api.items.update({ configId, id, categories: [category.id] })
    expect((await read(slug, 'de')).taxonomies).toMatchObject([{ categories: [{ name: 'Ink' }] }])
    await api.categories.update({ configId, id: category.id, taxonomyId: taxonomy.id, name: 'Paper' })
    expect((await read(slug, 'de')).taxonomies).toMatchObject([{ categories: [{ name: 'Paper' }] }])

    await api.repositories.update({
      id: configId,
      settings: { locales: { ...locales, list: locales.list.map(({ code, name }) => ({ code, name })) } },
    })
    expect(await german('story-1')).not.toHaveProperty('title')
    expect(await german('story-2')).toMatchObject({ title: 'Geschichte 2' })
  })

  it('is another one after it was deleted, by the same slug', async () => {
    const slug = 'story-3'
    const { id } = await read(slug, 'de')
    await api.items.delete({ configId, id })
    await expect(read(slug, 'de')).rejects.toMatchObject({ code: 'not_found' })
    const given = { repositoryId: configId, type: 'story', name: 'Other', slug, locale: 'de' }
    await api.items.create({ ...given, fields: { title: 'Andere' } })
    expect(await german(slug)).toEqual({ title: 'Andere' })
  })
})
