import { fieldKinds, type Api, type Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { fileOf, prepareFiles, textOf } from '../files/files.ts'
import { dataOf, resultOf } from './graphql-sender.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** Reading one item, with fields of every kind. */
export function graphqlAnswerTests(bench: () => Bench): void {
  let picture: Item
  let author: Item
  let categoryId = ''
  let taxonomyId = ''
  beforeAll(async () => {
    const { system } = bench()
    await prepareFiles(system)
    picture = await bench().api.assets.create({
      configId,
      name: 'Galls',
      file: await fileOf('png', 'galls.png'),
    })
    author = await system.items.create({ repositoryId: configId, type: 'author', name: 'Ada' })
    taxonomyId = (await system.taxonomies.create({ configId, name: 'Crafts' })).id
    categoryId = (await system.categories.create({ configId, taxonomyId, name: 'Inks' })).id
    await prepareSpecimens(system)
  })

  describe('a GraphQL document', () => {
    it('creates and reads values of every kind', async () => {
      const { api } = bench()
      const values = {
        text: 'On ink',
        html: '<p>Ink</p>',
        price: 4.5,
        pages: 12,
        huge: 2 ** 40,
        open: true,
        day: '2026-01-31',
        moment: 1_780_000_000_000,
        author: author.id,
        others: [author.id, picture.id],
        cover: picture.id,
        craft: categoryId,
        link: 'https://example.org/',
        email: 'ada@example.org',
        handle: 'on-ink',
        tint: '#1a2b3c',
        place: { lat: 1.5, lng: -2 },
        data: { any: [1, 'two', null] },
        seo: { title: 'Search', deep: { words: ['a', 'b'] } },
        blocks: [{ quote: { words: 'so' } }, { figure: { image: picture.id } }],
        tags: ['one', 'two'],
      }
      const { createSpecimen } = await dataOf(
        api,
        `mutation ($fields: Specimen_Fields) { createSpecimen(input: { name: "All", fields: $fields }) { id ${everyField} } }`,
        { variables: { fields: values } },
      )
      const cover = { __typename: 'Picture', name: 'Galls' }
      const named = { name: 'Ada' }
      const { id, ...visible } = createSpecimen as { id: string }
      expect(visible).toEqual({
        ...values,
        author: { __typename: 'Author', ...named },
        others: [named, { name: 'Galls' }],
        cover,
        craft: { id: categoryId, name: 'Inks', taxonomyId, taxonomyName: 'Crafts' },
        blocks: [
          { __typename: 'Specimen_Blocks_Quote', type: 'quote', words: 'so' },
          { __typename: 'Specimen_Blocks_Figure', type: 'figure', image: cover },
        ],
      })
      const item = await api.items.get({ configId, id })
      const blocks = [
        { type: 'quote', words: 'so' },
        { type: 'figure', image: picture.id },
      ]
      expect(item).toMatchObject({ fields: { ...values, blocks } })
      expect(await dataOf(api, `{ specimen(id: "${id}") { ${everyField} } }`)).toEqual({ specimen: visible })
    })

    it('returns the members of an item like REST', async () => {
      const { api } = bench()
      const members = [
        'id',
        'type',
        'name',
        'slug',
        'repositoryId',
        'status',
        'currentVersion',
        'isPublished',
      ]
      const data = await dataOf(
        api,
        `{ item(id: "${picture.id}") { __typename ${members.join(' ')} createdDate updatedByUser { userName } versionHistory { version }
           asset { mimeType size width height hash } renditions { name url } categories { id }
           ... on Picture { alt } } }`,
      )
      expect(data['item']).toMatchObject({
        __typename: 'Picture',
        ...Object.fromEntries(Object.entries(picture).filter(([name]) => members.includes(name))),
        createdDate: picture.createdDate,
        updatedByUser: { userName: picture.updatedByUser?.userName },
        versionHistory: [{ version: 1 }],
        asset: { mimeType: 'image/png', width: 120, height: 80, hash: picture.asset?.hash },
        renditions: picture.renditions.map(({ name, url }) => ({ name, url })),
        categories: [],
        alt: null,
      })
    })

    it('can request one rendition of an asset, in a format', async () => {
      const data = await dataOf(
        bench().api,
        `{ picture(id: "${picture.id}") { small: rendition(name: "small") { url }
           webp: rendition(name: "small", format: "webp") { url format } none: rendition(name: "nope") { url } } }`,
      )
      const small = picture.renditions.find(({ name }) => name === 'small')?.url
      expect(data['picture']).toEqual({
        small: { url: small },
        webp: { url: `${small}?format=webp`, format: 'webp' },
        none: null,
      })
    })

    it('reads by slug, and finds no items of other types or absent ones', async () => {
      const { api } = bench()
      const query = `{ author(slug: "${author.slug}") { id } picture(id: "${author.id}") { id } article(slug: "nope") { id } }`
      expect(await dataOf(api, query)).toEqual({ author: { id: author.id }, picture: null, article: null })
      expect(await resultOf(api, '{ author { id } }')).toMatchObject({
        data: { author: null },
        errors: [{ path: ['author'], extensions: { code: 'invalid', issues: [{ path: 'id' }] } }],
      })
    })

    it('is not executed when it is invalid, and the errors have locations', async () => {
      const { api } = bench()
      expect(await resultOf(api, '{ author(slug: "x") {\n nope } }')).toEqual({
        errors: [
          {
            message: expect.stringContaining('"nope"'),
            locations: [{ line: 2, column: 2 }],
            extensions: { code: 'invalid' },
          },
        ],
      })
      expect(await resultOf(api, '{')).toEqual({
        errors: [expect.objectContaining({ message: expect.any(String), extensions: { code: 'invalid' } })],
      })
      expect(await resultOf(api, 'query ($id: ID!) { author(id: $id) { id } }')).toEqual({
        errors: [expect.objectContaining({ message: expect.stringContaining('$id') })],
      })
    })

    it('runs the chosen one of several operations', async () => {
      const query = 'query A { author(slug: "ada") { id } } query B { __typename }'
      const executed = await bench().api.graphql.execute({ configId, query, operationName: 'B' })
      expect(executed).toEqual({ data: { __typename: 'Query' } })
    })

    it('can be sent by GET, too, unless it changes something', async () => {
      const { api } = bench()
      const query = 'query ($slug: String) { author(slug: $slug) { name } }'
      const variables = JSON.stringify({ slug: author.slug })
      expect(await api.graphql.query({ configId, query, variables })).toEqual({
        data: { author: { name: 'Ada' } },
      })
      for (const wrong of ['{', '[]', '3'])
        await failing(api.graphql.query({ configId, query, variables: wrong }), 'invalid')
      const changing = `mutation { deleteAuthor(id: "${author.id}") }`
      await failing(api.graphql.query({ configId, query: changing }), 'method_not_allowed')
      expect(await api.items.get({ configId, id: author.id })).toMatchObject({ name: 'Ada' })
    })

    it('can be written for a schema that can be fetched', async () => {
      const { api } = bench()
      const text = await textOf(api.graphql.schema({ configId }))
      expect(text).toContain('type Specimen implements Item {')
      expect(text).toContain('input Specimen_Filter {')
      const beyond = api.graphql.schema({ configId }, { range: { start: 90_000_000 } })
      await failing(textOf(beyond), 'range_not_satisfiable')
      await failing(api.graphql.schema({ configId: 'nope' }), 'not_found')
      await failing(api.graphql.execute({ configId: 'nope', query: '{ __typename }' }), 'not_found')
      await failing(api.graphql.query({ configId: 'nope', query: '{ __typename }' }), 'not_found')
    })
  })
}

const everyField = `text html price pages huge open day moment
  author { __typename name } others { name } cover { __typename name }
  craft { id name taxonomyId taxonomyName } link email handle tint place { lat lng } data
  seo { title deep { words } } tags
  blocks { __typename ... on Specimen_Blocks_Quote { type words }
    ... on Specimen_Blocks_Figure { type image { __typename name } } }`

/** A content type with a field of every kind. */
async function prepareSpecimens(api: Api): Promise<void> {
  const { fields } = await api.types.create({
    name: 'specimen',
    fields: [
      { name: 'text', kind: 'text' },
      { name: 'html', kind: 'richText' },
      { name: 'price', kind: 'number' },
      { name: 'pages', kind: 'integer', settings: { min: 0, max: 100 } },
      { name: 'huge', kind: 'integer' },
      { name: 'open', kind: 'boolean' },
      { name: 'day', kind: 'date' },
      { name: 'moment', kind: 'datetime' },
      { name: 'author', kind: 'reference', settings: { types: ['author'] } },
      { name: 'others', kind: 'reference', list: true },
      { name: 'cover', kind: 'asset' },
      { name: 'craft', kind: 'category' },
      { name: 'link', kind: 'url' },
      { name: 'email', kind: 'email' },
      { name: 'handle', kind: 'slug' },
      { name: 'tint', kind: 'color' },
      { name: 'place', kind: 'geo' },
      { name: 'data', kind: 'json' },
      { name: 'tags', kind: 'text', list: true },
      {
        name: 'seo',
        kind: 'group',
        settings: {
          fields: [
            { name: 'title', kind: 'text' },
            {
              name: 'deep',
              kind: 'group',
              settings: { fields: [{ name: 'words', kind: 'text', list: true }] },
            },
          ],
        },
      },
      {
        name: 'blocks',
        kind: 'union',
        list: true,
        settings: {
          variants: [
            { name: 'quote', fields: [{ name: 'words', kind: 'text' }] },
            { name: 'figure', fields: [{ name: 'image', kind: 'asset' }] },
          ],
        },
      },
    ],
  })
  expect(new Set(fields.map(({ kind }) => kind))).toEqual(new Set(fieldKinds))
}
