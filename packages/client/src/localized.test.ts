import { defineSchema, defineType, type Fields, type Localized } from '@quire/contract/schema'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { all, createClient, pages, type Api } from './index.ts'
import { withLocale } from './locales.ts'
import { queryOptions } from './query/index.ts'

const author = defineType({
  name: 'author',
  fields: [
    { name: 'bio', kind: 'text', localized: true },
    { name: 'born', kind: 'integer' },
  ],
})

const article = defineType({
  name: 'article',
  fields: [
    { name: 'title', kind: 'text', localized: true },
    { name: 'topics', kind: 'text', list: true, localized: true, settings: { options: ['ink', 'paper'] } },
    { name: 'minutes', kind: 'integer' },
    { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'restrict' } },
    {
      name: 'seo',
      kind: 'group',
      settings: {
        fields: [
          { name: 'words', kind: 'text', localized: true },
          { name: 'index', kind: 'boolean' },
        ],
      },
    },
    { name: 'box', kind: 'group', localized: true, settings: { fields: [{ name: 'text', kind: 'text' }] } },
    {
      name: 'blocks',
      kind: 'union',
      list: true,
      settings: {
        variants: [
          { name: 'quote', fields: [{ name: 'words', kind: 'text', localized: true }] },
          { name: 'rule', fields: [{ name: 'width', kind: 'integer' }] },
        ],
      },
    },
  ],
})

const schema = defineSchema([author, article])

interface Values<T> {
  readonly [locale: string]: T
}

type Topics = ('ink' | 'paper')[]

interface PlainArticle {
  title?: string
  topics?: Topics
  minutes?: number
  author?: string
  seo?: { words?: string; index?: boolean }
  box?: { text?: string }
  blocks?: ({ type: 'quote'; words?: string } | { type: 'rule'; width?: number })[]
}

interface LocalizedArticle {
  title?: Values<string>
  topics?: Values<Topics>
  minutes?: number
  author?: string
  seo?: { words?: Values<string>; index?: boolean }
  box?: Values<{ text?: string }>
  blocks?: ({ type: 'quote'; words?: Values<string> } | { type: 'rule'; width?: number })[]
}

const at = { configId: 'magazine' } as const
const articles = { ...at, type: 'article' } as const
const inAll = { ...articles, locale: '*' } as const
const title = { en: 'Ink', de: 'Tinte' }
const blocks = [
  { type: 'quote' as const, words: { en: 'Dip.' } },
  { type: 'rule' as const, width: 2 },
]

let engine: Quire
let api: Api<typeof schema>
let ink: { readonly id: string }

beforeEach(async () => {
  engine = createQuire({ store: createMemoryStore() })
  api = engine.as<typeof schema>(systemIdentity('test'))
  const list = [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch', fallback: 'en' },
  ]
  await api.repositories.create({
    name: 'magazine',
    public: true,
    settings: { locales: { default: 'en', list } },
  })
  await api.schema.apply(schema)
  const made = { repositoryId: 'magazine', locale: '*' } as const
  const ada = await api.items.create({
    ...made,
    name: 'Ada',
    type: 'author',
    fields: { bio: { de: 'Gräfin' }, born: 1815 },
  })
  const fields = { title, topics: { en: ['ink' as const] }, minutes: 3, author: ada.id, blocks }
  ink = await api.items.create({ ...made, name: 'Ink', type: 'article', fields })
})

afterEach(() => engine.close())

it('infers the values in one locale and in all of them', () => {
  expectTypeOf<Fields<typeof article>>().branded.toEqualTypeOf<PlainArticle>()
  expectTypeOf<Localized<typeof article>>().branded.toEqualTypeOf<LocalizedArticle>()
  const ada: Localized<typeof author> = { bio: { de: 'Gräfin' }, born: 1815 }
  expect(ada.bio?.['de']).toBe('Gräfin')
  expectTypeOf<Localized<typeof author>>().toEqualTypeOf<{ bio?: Values<string>; born?: number }>()
})

describe('an API for all locales', () => {
  it('has the values by locale without being told in each call', async () => {
    const everywhere = withLocale(api, '*')
    const { fields } = await everywhere.items.get<'article'>({ ...at, id: ink.id })
    expectTypeOf(fields).branded.toEqualTypeOf<LocalizedArticle>()
    expect(fields.title).toEqual(title)
    const changed = { title: { de: 'Tusche' } }
    const after = await everywhere.items.update<'article'>({ ...at, id: ink.id, fields: changed })
    expect(after.fields.title).toEqual({ ...title, de: 'Tusche' })
    // Other operations take no locale.
    const copy = await everywhere.items.copy<'article'>({ ...at, id: ink.id, name: 'Copy', slug: 'copy' })
    expectTypeOf(copy.fields).branded.toEqualTypeOf<PlainArticle>()
    expect(copy.fields.title).toBe('Ink')
    await api.items.publish({ ...at, id: ink.id })
    const read = await everywhere.published.itemBySlug<'article'>({ ...at, slug: 'ink' })
    expectTypeOf(read.fields).branded.toEqualTypeOf<PlainArticle>()
    expect(read.fields.title).toBe('Ink')
    const remote = withLocale(createClient<typeof schema>({ baseUrl: 'http://127.0.0.1:9' }), '*')
    expectTypeOf(remote).toEqualTypeOf(everywhere)
    expectTypeOf(withLocale(api, 'de')).toEqualTypeOf(api)
  })

  it('takes both from what `quire types` writes', async () => {
    interface Content {
      readonly types: readonly object[]
      readonly content?: { article: PlainArticle }
      readonly localized?: { article: LocalizedArticle }
    }
    const written = engine.as<Content>(systemIdentity('test'))
    const one = await written.items.get({ ...at, id: ink.id, locale: 'de' })
    expectTypeOf(one.fields).branded.toEqualTypeOf<PlainArticle>()
    const every = await written.items.get({ ...at, id: ink.id, locale: '*' })
    expectTypeOf(every.fields).branded.toEqualTypeOf<LocalizedArticle>()
    expect([one.fields.title, every.fields.title]).toEqual(['Tinte', title])
  })
})

describe('a read', () => {
  it('of one item has the values of the locale', async () => {
    const { fields } = await api.items.get<'article', '*'>({ ...at, id: ink.id, locale: '*' })
    expectTypeOf(fields).branded.toEqualTypeOf<LocalizedArticle>()
    expect([fields.title, fields.blocks]).toEqual([title, blocks])
    const german = await api.items.get<'article'>({ ...at, id: ink.id, locale: 'de' })
    expectTypeOf(german.fields).branded.toEqualTypeOf<PlainArticle>()
    const english = await api.items.getBySlug<'article'>({ ...at, slug: 'ink' })
    expectTypeOf(english.fields).branded.toEqualTypeOf<PlainArticle>()
    expect([german.fields.title, english.fields.title]).toEqual(['Tinte', 'Ink'])
    const item = await api.items.get({ ...at, id: ink.id, locale: '*' })
    if (item.type !== 'article') throw new Error('not an article')
    expectTypeOf(item.fields.title).toEqualTypeOf<Values<string> | undefined>()
    expect(item.fields.title?.['de']).toBe('Tinte')
  })

  it('of a list and of a query, too', async () => {
    const [listed] = (await api.items.list(inAll)).items
    const [run] = (await api.queries.run({ ...inAll, text: 'tinte' })).items
    const [plain] = (await api.items.list({ ...articles, locale: 'de' })).items
    const [other] = (await api.queries.run(articles)).items
    expectTypeOf(listed?.fields).branded.toEqualTypeOf<LocalizedArticle | undefined>()
    expectTypeOf(run?.fields.title).toEqualTypeOf<Values<string> | undefined>()
    expectTypeOf(plain?.fields).branded.toEqualTypeOf<PlainArticle | undefined>()
    expectTypeOf(other?.fields.title).toEqualTypeOf<string | undefined>()
    const titles = [listed, run, plain, other].map((item) => item?.fields.title)
    expect(titles).toEqual([title, title, 'Tinte', 'Ink'])
  })

  it('counts as one of a single locale if that is not a constant', async () => {
    const locale: string = 'de'
    const { fields } = await api.items.get<'article'>({ ...at, id: ink.id, locale })
    expectTypeOf(fields.title).toEqualTypeOf<string | undefined>()
    const [listed] = (await api.items.list({ ...articles, locale })).items
    expectTypeOf(listed?.fields.title).toEqualTypeOf<string | undefined>()
    expect([fields.title, listed?.fields.title]).toEqual(['Tinte', 'Tinte'])
  })

  it('counts as either if that is one of two constants', async () => {
    const titles: (string | Values<string> | undefined)[] = []
    for (const locale of ['de', '*'] as const) {
      const [item] = (await api.items.list({ ...articles, locale })).items
      expectTypeOf(item?.fields.title).toEqualTypeOf<string | Values<string> | undefined>()
      titles.push(item?.fields.title)
    }
    expect(titles).toEqual(['Tinte', title])
  })

  it('goes together with select and include', async () => {
    const { items } = await api.items.list({
      ...inAll,
      select: ['name', 'fields.title', 'fields.seo.words', 'fields.author'],
      include: ['author'],
      filter: { 'fields.title.de': 'Tinte' },
      sort: '-fields.title.en',
    })
    expectTypeOf(items[0]?.fields).branded.toEqualTypeOf<
      (Pick<LocalizedArticle, 'title' | 'author'> & { seo?: { words?: Values<string> } }) | undefined
    >()
    // @ts-expect-error: it was not selected
    expect([items[0]?.fields.title, items[0]?.fields.minutes]).toEqual([title, undefined])
    const [ada] = items[0]?.included.author ?? []
    if (ada?.type !== 'author') throw new Error('no author')
    expectTypeOf(ada.fields).branded.toEqualTypeOf<{ bio?: Values<string>; born?: number }>()
    expect(ada.fields.bio).toEqual({ de: 'Gräfin' })
  })

  it('goes together with a locale in select, and with the name of a content type', async () => {
    const [german] = (await api.items.list({ ...inAll, select: ['fields.title.de'] })).items
    expectTypeOf(german?.fields.title).toEqualTypeOf<Values<string> | undefined>()
    expect(german?.fields).toEqual({ title: { de: 'Tinte' } })
    const select = ['fields.title'] as const
    const named = await api.items.get<'article'>({ ...at, id: ink.id, locale: '*' })
    expectTypeOf(named.fields?.title).toEqualTypeOf<Values<string> | undefined>()
    const chosen = await api.items.get<'article'>({ ...at, id: ink.id, locale: '*', select })
    expectTypeOf(chosen.fields?.title).toEqualTypeOf<Values<string> | undefined>()
    expect(chosen.fields?.title).toEqual(title)
  })

  it('has it page by page and in queries of a page', async () => {
    const seen: (Values<string> | undefined)[] = []
    for await (const { fields } of all(api.items.list, inAll)) seen.push(fields?.title)
    for await (const { items } of pages(api.items.list, inAll)) seen.push(items[0]?.fields?.title)
    const { signal } = new AbortController()
    const one = await queryOptions(api, 'items.list', inAll).queryFn({ signal })
    expectTypeOf(one.items[0]?.fields?.title).toEqualTypeOf<Values<string> | undefined>()
    expect([...seen, one.items[0]?.fields?.title]).toEqual([title, title, title])
    for await (const { fields } of all(api.items.list, { ...articles, locale: 'de' }))
      expectTypeOf(fields?.title).toEqualTypeOf<string | undefined>()
  })

  it('of published content is in one locale', async () => {
    await api.items.publish({ ...at, id: ink.id })
    const [item] = (await api.published.items({ ...articles, locale: 'de' })).items
    expectTypeOf(item?.fields.title).toEqualTypeOf<string | undefined>()
    expect(item?.fields.title).toBe('Tinte')
    // @ts-expect-error: each locale has its own published version
    await expect(api.published.items(inAll)).rejects.toThrow('one locale')
  })
})

describe('a write', () => {
  const made = { repositoryId: 'magazine', type: 'article', name: 'Paper' } as const

  it('takes and answers the values of the locale', async () => {
    const paper = await api.items.create({ ...made, locale: '*', fields: { box: { de: { text: 'Bütte' } } } })
    expectTypeOf(paper.fields).branded.toEqualTypeOf<LocalizedArticle>()
    const change = { ...at, id: paper.id }
    const { fields } = await api.items.update<'article', '*'>({
      ...change,
      locale: '*',
      fields: { title: { de: 'Papier', en: null }, seo: { words: { de: 'Papier' } } },
    })
    expectTypeOf(fields).branded.toEqualTypeOf<LocalizedArticle>()
    await api.items.update({ ...change, locale: '*', fields: { title: { en: 'Paper' } } })
    const german = await api.items.update<'article'>({
      ...change,
      locale: 'de',
      fields: { seo: { words: null } },
    })
    expectTypeOf(german.fields).branded.toEqualTypeOf<PlainArticle>()
    const english = await api.items.create({ ...made, fields: { title: 'Paper' } })
    expectTypeOf(english.fields).branded.toEqualTypeOf<PlainArticle>()
    expect([fields.title, german.fields.title, english.fields.title]).toEqual([
      { de: 'Papier' },
      'Papier',
      'Paper',
    ])
  })

  it('refuses what is not of the locale, as the engine does', async () => {
    const change = { ...at, id: ink.id }
    const wrong = [
      // @ts-expect-error: one value where there is one for each locale
      api.items.create({ ...made, locale: '*', fields: { title: 'Paper' } }),
      // @ts-expect-error: values by locale, in one locale
      api.items.create({ ...made, locale: 'de', fields: { title: { de: 'Papier' } } }),
      // @ts-expect-error: the same in the default locale
      api.items.create({ ...made, fields: { title: { de: 'Papier' } } }),
      // @ts-expect-error: one value where there is one for each locale
      api.items.update({ ...change, locale: '*', fields: { seo: { words: 'Paper' } } }),
      // @ts-expect-error: not a localized field
      api.items.update({ ...change, locale: '*', fields: { minutes: { de: 3 } } }),
      // @ts-expect-error: no such field
      api.items.update({ ...change, locale: '*', fields: { titel: { de: 'Papier' } } }),
    ]
    const outcomes = await Promise.allSettled(wrong)
    expect(outcomes.map(({ status }) => status)).toEqual(wrong.map(() => 'rejected'))
  })
})

it('refuses misspelt paths in all locales', async () => {
  const wrong = [
    // @ts-expect-error: no such field
    api.items.list({ ...inAll, filter: { 'fields.titel.de': 'Tinte' } }),
    // @ts-expect-error: no such field in the group
    api.items.list({ ...inAll, sort: 'fields.seo.wrods.de' }),
    // @ts-expect-error: not a localized field
    api.items.list({ ...inAll, sort: 'fields.minutes.de' }),
    // @ts-expect-error: no locale follows in one locale
    api.items.list({ ...articles, locale: 'de', filter: { 'fields.title.de': 'Tinte' } }),
    // @ts-expect-error: no such reference
    api.items.list({ ...inAll, include: ['auhtor'] }),
  ]
  const outcomes = await Promise.allSettled(wrong)
  expect(outcomes.map(({ status }) => status)).toEqual(wrong.map(() => 'rejected'))
  // @ts-expect-error: no such field
  await api.items.list({ ...inAll, select: ['fields.titel'] })
})
