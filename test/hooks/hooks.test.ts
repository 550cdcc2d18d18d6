import { createQuire, refuse, systemIdentity, type Hooks } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it } from 'vitest'

async function open(hooks: Hooks) {
  const quire = createQuire({ store: createMemoryStore(), hooks })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'shop' })
  await api.types.create({
    name: 'product',
    fields: [
      { name: 'price', kind: 'number' },
      { name: 'cost', kind: 'number' },
    ],
  })
  return { quire, api }
}

it('works', async () => {
  const seen: string[] = []
  const { quire, api } = await open({
    item: {
      before: ({ operation, input }) =>
        operation === 'items.create' ? { ...input, slug: 'by-hook' } : undefined,
      check({ after }) {
        if (after && Number(after.fields['price']) < 0)
          throw refuse([{ path: 'fields.price', message: 'must not be negative' }])
      },
      after: ({ event }) => void seen.push(event),
    },
  })
  const { slug, id } = await api.items.create({ repositoryId: 'shop', type: 'product', name: 'Tea' })
  expect(slug).toBe('by-hook')
  await expect(api.items.update({ configId: 'shop', id, fields: { price: -1 } })).rejects.toMatchObject({
    code: 'invalid',
    issues: [{ path: 'fields.price' }],
  })
  await quire.settled()
  expect(seen).toEqual(['ITEM_CREATED'])
})
