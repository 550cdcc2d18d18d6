import { expect, it } from 'vitest'
import { anonymous, createQuire, mendPublished, systemIdentity } from '../index.ts'
import { createMemoryStore } from '../memory/index.ts'
import { publishedLine } from './published-line.ts'

it('shows what a version of before did not show of what is published', async () => {
  const store = createMemoryStore()
  const quire = createQuire({ store })
  const api = quire.as(systemIdentity('test'))
  const { id: repositoryId } = await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
  const at = { configId: 'magazine' }
  for (const title of ['One', 'Two', 'Three']) {
    const { id } = await api.items.create({ repositoryId, type: 'article', name: title, fields: { title } })
    await api.items.publish({ ...at, id })
    if (title !== 'Three') await api.items.update({ ...at, id, name: `Draft of ${title}` })
  }
  const { published } = quire.as(anonymous)
  const names = async () =>
    (await published.items({ ...at, sort: 'createdDate,id' })).items.map(({ name }) => name)
  expect(new Set(await names())).toEqual(new Set(['One', 'Two', 'Three']))
  const line = publishedLine(repositoryId)
  const own = await store.entities.ownHeads(line, { limit: 10 })
  expect(own).toHaveLength(2)
  await store.transaction(async (tx) => {
    for (const head of own) await tx.entities.purge(line, head)
  })
  expect(await names()).toEqual(['Three'])
  expect(await mendPublished({ store })).toBe(2)
  expect(new Set(await names())).toEqual(new Set(['One', 'Two', 'Three']))
  expect(await mendPublished({ store })).toBe(0)
})
