import type { Api, Item } from '@quire/contract/api'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { all, createClient, pages, type Client, type ItemOf, type ReadItemOf } from './index.ts'
import { createMockQuire } from './mock/index.ts'

// As `quire types` writes it. Code that must not compile is marked with `@ts-expect-error`, which the type check of the tests verifies.
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
interface ArticleFields {
  title?: string
  topics?: ('ink' | 'paper')[]
  seo?: { title?: string; words?: number }
  block?: { type: 'quote'; words?: string } | { type: 'map'; location?: { lat: number; lng: number } }
  data?: Json
}
interface AuthorFields {
  title?: string
  born?: number
}
interface ContentTypes {
  article: ArticleFields
  author: AuthorFields
  'opening-hours': Record<string, never>
}

const text = (name: string) => ({ name, kind: 'text' as const })

async function prepare(api: Api<ContentTypes>): Promise<void> {
  await api.repositories.create({ name: 'magazine' })
  const seo = { fields: [text('title'), { name: 'words', kind: 'integer' as const }] }
  const variants = [
    { name: 'quote', fields: [text('words')] },
    { name: 'map', fields: [{ name: 'place', kind: 'geo' as const }] },
  ]
  const topics = { ...text('topics'), list: true, settings: { options: ['ink', 'paper'] } }
  await api.types.create({
    name: 'article',
    fields: [
      text('title'),
      topics,
      { name: 'seo', kind: 'group', settings: seo },
      { name: 'block', kind: 'union', settings: { variants } },
      { name: 'data', kind: 'json' },
    ],
  })
  await api.types.create({ name: 'author', fields: [text('title'), { name: 'born', kind: 'integer' }] })
  await api.types.create({ name: 'opening-hours', fields: [] })
}

async function openClient(): Promise<Client<ContentTypes>> {
  const mock = await createMockQuire<ContentTypes>({ prepare })
  const server = setupServer(...mock.handlers)
  server.listen()
  onTestFinished(() => server.close())
  return createClient<ContentTypes>({ baseUrl: mock.baseUrl, auth: mock.auth })
}

const article = { repositoryId: 'magazine', type: 'article', name: 'Ink' } as const
const author = { repositoryId: 'magazine', type: 'author', name: 'Ada' } as const

describe('a client with content types', () => {
  it('types a new item by the type in the input', async () => {
    const quire = await openClient()
    const made = await quire.items.create({
      ...article,
      fields: { title: 'Ink', topics: ['ink'], block: { type: 'quote', words: 'Dip.' }, seo: null },
    })
    const type: 'article' = made.type
    const topic: 'ink' | 'paper' | undefined = made.fields.topics?.[0]
    expect([type, topic, made.fields.block?.type]).toEqual(['article', 'ink', 'quote'])
    // @ts-expect-error -- an article has no such field
    expect(made.fields.born).toBeUndefined()
  })

  it('rejects what the type does not have, as the engine does', async () => {
    const { items } = await openClient()
    const refused = [
      // @ts-expect-error -- no such field
      items.create({ ...article, fields: { titel: 'Ink' } }),
      // @ts-expect-error -- no such option
      items.create({ ...article, fields: { topics: ['pen'] } }),
      // @ts-expect-error -- not a number
      items.create({ ...author, fields: { born: '1815' } }),
      // @ts-expect-error -- no such variant
      items.create({ ...article, fields: { block: { type: 'film' } } }),
      // @ts-expect-error -- a type without fields
      items.create({ ...article, type: 'opening-hours', fields: { title: 'Daily' } }),
      // @ts-expect-error -- no such type
      items.create({ ...article, type: 'artcle' }),
    ]
    const outcomes = await Promise.allSettled(refused)
    expect(outcomes.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'))
  })

  it('types an item that was read, once its type is checked', async () => {
    const quire = await openClient()
    const { id } = await quire.items.create({ ...author, fields: { born: 1815 } })
    const read = await quire.items.get({ configId: 'magazine', id })
    // @ts-expect-error -- it can be of another type
    expect(read.fields?.born).toBe(1815)
    if (read.type !== 'author') throw new Error('The item is not an author')
    const born: number | undefined = read.fields?.born
    const given = await quire.items.getBySlug<'author'>({ configId: 'magazine', slug: 'ada' })
    expect([born, given.fields?.born]).toEqual([1815, 1815])
  })

  it('types changes: null removes, objects are merged', async () => {
    const quire = await openClient()
    const { id } = await quire.items.create({
      ...article,
      fields: { title: 'Ink', seo: { title: 'Ink', words: 3 } },
    })
    const change = { configId: 'magazine', id }
    const changed = await quire.items.update<'article'>({
      ...change,
      fields: { title: null, seo: { words: null } },
    })
    expect(changed.fields).toEqual({ seo: { title: 'Ink' } })
    const wrong = [
      // @ts-expect-error -- a field of authors
      quire.items.update<'article'>({ ...change, fields: { born: 1815 } }),
      // @ts-expect-error -- a field of no type
      quire.items.update({ ...change, fields: { bron: 1815 } }),
    ]
    await expect(Promise.allSettled(wrong)).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
  })

  it('types lists, pages, searches and published items by the type that they ask for', async () => {
    const quire = await openClient()
    const { id } = await quire.items.create({ ...article, fields: { topics: ['paper'] } })
    const { fields } = await quire.items.publish<'article'>({ configId: 'magazine', id })
    const asked = { configId: 'magazine', type: 'article' } as const
    const [listed] = (await quire.items.list(asked)).items
    const [found] = (await quire.queries.run({ ...asked, text: 'ink' })).items
    const [visible] = (await quire.published.items(asked)).items
    const seen: (readonly string[] | undefined)[] = [
      fields,
      listed?.fields,
      found?.fields,
      visible?.fields,
    ].map((values) => values?.topics)
    for await (const item of all(quire.items.list, {
      configId: 'magazine',
      type: 'article',
      select: ['fields'],
    }))
      seen.push(item.fields?.topics)
    for await (const { items } of pages(quire.items.list, { configId: 'magazine', type: 'article' }))
      seen.push(items[0]?.fields?.topics)
    for await (const item of all(quire.items.list, { configId: 'magazine' }))
      if (item.type === 'article') seen.push(item.fields?.topics)
    expect(seen).toEqual(Array.from({ length: 7 }, () => ['paper']))
    // @ts-expect-error -- no such type
    expect((await quire.items.list({ configId: 'magazine', type: 'artcle' })).items).toEqual([])
  })

  it('types a complete item, and one with the members that select names', async () => {
    const quire = await openClient()
    const at = { configId: 'magazine' }
    const seo = { title: 'Ink', words: 3 }
    const { id } = await quire.items.create({ ...article, fields: { title: 'Ink', topics: ['ink'], seo } })
    const whole = await quire.items.get<'article'>({ ...at, id })
    const name: string = whole.name
    const some = await quire.items.list({
      ...at,
      type: 'article',
      select: ['slug', 'fields.seo.words', 'fields.topics'],
    })
    const [chosen] = some.items
    const slug: string | undefined = chosen?.slug
    const words: number | undefined = chosen?.fields.seo?.words
    expect([name, whole.fields.seo, slug, words, chosen?.fields.topics]).toEqual([
      'Ink',
      seo,
      'ink',
      3,
      ['ink'],
    ])
    // @ts-expect-error -- it was not selected
    expect([chosen?.name, chosen?.fields.seo?.title, chosen?.fields.title]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    const fields = await quire.items.get<'article'>({ ...at, id, select: ['fields'] })
    expect(fields.fields?.title).toBe('Ink')
    // Of names that are not constants, the answer can have any.
    const names: ('name' | 'fields.title')[] = ['name']
    const dynamic = await quire.items.get<'article'>({ ...at, id, select: names })
    const maybe: string | undefined = dynamic.name
    expect(maybe).toBe('Ink')
    const { items: published } = await quire.published.items({ ...at, type: 'author', select: ['name'] })
    expect(published.map((item) => item.name)).toEqual([])
  })

  it('refuses misspelt names in select, include, filter and sort', async () => {
    const quire = await openClient()
    const asked = { configId: 'magazine', type: 'article' } as const
    const wrong = [
      // @ts-expect-error -- no such member
      quire.items.list({ ...asked, select: ['nmae'] }),
      // @ts-expect-error -- no such field
      quire.items.list({ ...asked, filter: { 'fields.titel': 'Ink' } }),
      // @ts-expect-error -- no such field in the group
      quire.items.list({ ...asked, filter: { 'fields.seo.wrods': { gte: 3 } } }),
      // @ts-expect-error -- an author's field
      quire.items.list({ ...asked, sort: '-fields.born' }),
      // @ts-expect-error -- the second of two
      quire.items.list({ ...asked, sort: 'name,-updateDate' }),
      // @ts-expect-error -- no such field
      quire.items.list({ ...asked, include: ['auhtor'] }),
    ]
    const outcomes = await Promise.allSettled(wrong)
    expect(outcomes.map(({ status }) => status)).toEqual(wrong.map(() => 'rejected'))
    const dynamic: string = '-updatedDate'
    const right = [
      quire.items.list({ ...asked, filter: { 'fields.seo.words': { gte: 3 }, status: 'draft' } }),
      quire.items.list({ ...asked, sort: 'fields.title,-updatedDate', select: ['name', 'fields.seo'] }),
      quire.items.list({ configId: 'magazine', sort: dynamic, filter: { 'fields.born': 1815 } }),
      quire.queries.run({ ...asked, text: 'ink', filter: { isPublished: true } }),
    ]
    await Promise.all(right)
  })

  it('types items inside results', async () => {
    const quire = await openClient()
    const { id } = await quire.items.create({ ...author, fields: { born: 1815 } })
    const bulk = await quire.items.bulk({ configId: 'magazine', action: 'publish', ids: [id] })
    const published = bulk.outcomes[0]?.item
    const removal = await quire.items.delete({ configId: 'magazine', id, dryRun: true })
    const born = [published, removal?.deleted].map((item) => item?.type === 'author' && item.fields.born)
    expect(born).toEqual([1815, 1815])
  })
})

describe('typed items', () => {
  it('are assignable to any item, and to an item of one type', async () => {
    const quire = await openClient()
    const name = ({ name }: Item) => name
    const topics = ({ fields }: ReadItemOf<ContentTypes, 'article'>) => fields?.topics ?? []
    const title = ({ fields }: ItemOf<ContentTypes>) => fields['title']
    const made = await quire.items.create({ ...article, fields: { title: 'Ink', topics: ['ink'] } })
    expect([name(made), topics(made), title(made)]).toEqual(['Ink', ['ink'], 'Ink'])
  })
})

describe('a client without content types', () => {
  it('accepts any type and any values', async () => {
    const { api } = await createMockQuire()
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'note', fields: [text('title')] })
    const type: string = 'note'
    const made: Item = await api.items.create({
      repositoryId: 'magazine',
      type,
      name: 'N',
      fields: { title: 'T' },
    })
    expect(made.fields['title']).toBe('T')
  })
})
