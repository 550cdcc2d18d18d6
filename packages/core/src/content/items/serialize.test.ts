import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { createQuire } from '../../quire.ts'
import type { Json } from '../../ports/index.ts'

const configId = 'magazine'

/** An engine with two categories and a type whose field takes any JSON. */
async function open() {
  const quire = createQuire({ store: createMemoryStore() }).as(systemIdentity('show'))
  await quire.repositories.create({ name: configId })
  await quire.types.create({ name: 'any', fields: [{ name: 'data', kind: 'json' }] })
  const { id: taxonomyId } = await quire.taxonomies.create({ configId, name: '"],"taxonomies":["' })
  const made = async (name: string) => (await quire.categories.create({ configId, taxonomyId, name })).id
  return { quire, taxonomyId, ids: [await made('"]}'), await made('Ink')] }
}

const tricky = fc.constantFrom('"]}', '[]}', ',"taxonomies":["', '"taxonomies":[]}', 'taxonomies')
const text = fc.oneof(tricky, fc.string())
const data = fc.oneof(
  text,
  fc.array(text, { maxLength: 3 }),
  fc.record({ taxonomies: fc.array(text, { maxLength: 3 }) }),
)

it('names the categories of an item whatever text it contains, and does not change that text', async () => {
  const { quire, taxonomyId, ids } = await open()
  await fc.assert(
    fc.asyncProperty(text, data, fc.subarray(ids), async (description, value: Json, categories) => {
      const item = { repositoryId: configId, type: 'any', name: 'Any', description, categories }
      // Parsed as JSON, like the input of a caller.
      const { id } = await quire.items.create({
        ...item,
        fields: JSON.parse(JSON.stringify({ data: value })),
      })
      const read = await quire.items.get({ configId, id })
      expect([read.description, read.fields]).toEqual([description, { data: value }])
      const named = read.taxonomies?.flatMap((taxonomy) => taxonomy.categories.map((category) => category.id))
      expect([named, read.taxonomies?.[0]?.id]).toEqual([
        categories,
        categories.length === 0 ? undefined : taxonomyId,
      ])
      const { items } = await quire.items.list({ configId, filter: { id } })
      expect(items).toEqual([read])
    }),
  )
})
