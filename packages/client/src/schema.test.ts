import { defineField, defineSchema, defineType, type Fields } from '@quire/contract/schema'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { setupServer } from 'msw/node'
import { expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { createClient, type ItemOf } from './index.ts'
import { createMockQuire } from './mock/index.ts'

const title = defineField({ name: 'title', kind: 'text', required: true })

const author = defineType({ name: 'author', fields: [title, { name: 'born', kind: 'integer' }] })

const article = defineType({
  name: 'article',
  settings: { slugFrom: 'title' },
  fields: [
    title,
    { name: 'topics', kind: 'text', list: true, settings: { options: ['ink', 'paper'] } },
    { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'restrict' } },
    { name: 'location', kind: 'geo' },
    { name: 'seo', kind: 'group', settings: { fields: [title, { name: 'words', kind: 'integer' }] } },
    {
      name: 'blocks',
      kind: 'union',
      list: true,
      settings: {
        variants: [
          { name: 'quote', fields: [{ name: 'words', kind: 'text' }] },
          { name: 'map', fields: [{ name: 'location', kind: 'geo' }] },
        ],
      },
    },
  ],
})

const schema = defineSchema([author, article])

interface ArticleFields {
  title?: string
  topics?: ('ink' | 'paper')[]
  author?: string
  location?: { lat: number; lng: number }
  seo?: { title?: string; words?: number }
  blocks?: ({ type: 'quote'; words?: string } | { type: 'map'; location?: { lat: number; lng: number } })[]
}

it('infers the fields of items from code', () => {
  expectTypeOf<Fields<typeof article>>().branded.toEqualTypeOf<ArticleFields>()
  const ada: Fields<typeof author> = { title: 'Ada', born: 1815 }
  expect(ada.born).toBe(1815)
  expectTypeOf<Fields<typeof author>>().toEqualTypeOf<{ title?: string; born?: number }>()
  expectTypeOf<ItemOf<typeof schema, 'author'>['fields']>().branded.toEqualTypeOf<{
    title?: string
    born?: number
  }>()
})

it('finds mistakes in definitions when it compiles', () => {
  // @ts-expect-error: there is no such kind
  defineField({ name: 'a', kind: 'txt' })
  // @ts-expect-error: numbers have no such setting
  defineField({ name: 'a', kind: 'number', settings: { maxLength: 1 } })
  // @ts-expect-error: there is no such field
  defineType({ name: 'a', settings: { slugFrom: 'titel' }, fields: [title] })
  defineType({
    name: 'a',
    // @ts-expect-error: a nested text has no such setting
    fields: [{ name: 'g', kind: 'group', settings: { fields: [{ ...title, settings: { min: 1 } }] } }],
  })
  expect(defineType({ name: 'a', fields: [title] })).toEqual({ name: 'a', fields: [title] })
})

it('types the client, the mock and the engine', async () => {
  const mock = await createMockQuire<typeof schema>({
    prepare: async (api) => {
      await api.repositories.create({ name: 'magazine' })
      await api.schema.apply(schema)
    },
  })
  const server = setupServer(...mock.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const client = createClient<typeof schema>({ baseUrl: mock.baseUrl, auth: mock.auth })
  const ink = { repositoryId: 'magazine', type: 'article', name: 'Ink' } as const
  const item = await client.items.create({ ...ink, fields: { title: 'Ink', topics: ['ink'] } })
  expectTypeOf(item.type).toEqualTypeOf<'article'>()
  expectTypeOf(item.fields.topics).toEqualTypeOf<('ink' | 'paper')[] | undefined>()
  expect(item.fields.topics).toEqual(['ink'])
  // @ts-expect-error: there is no such option
  await expect(client.items.create({ ...ink, fields: { topics: ['wood'] } })).rejects.toThrow('topics')
  // @ts-expect-error: there is no such content type
  await expect(client.items.create({ ...ink, type: 'note' })).rejects.toThrow('note')

  const engine = createQuire({ store: createMemoryStore() })
  onTestFinished(() => engine.close())
  const api = engine.as<typeof schema>(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.schema.apply(schema)
  const created = await api.items.create({
    repositoryId: 'magazine',
    type: 'author',
    name: 'Ada',
    fields: { born: 1815 },
  })
  expectTypeOf(created.fields).branded.toEqualTypeOf<{ title?: string; born?: number }>()
  expect(created.fields.born).toBe(1815)
})
