import { beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '@quire/contract'
import { systemIdentity } from '../../engine/access/identity.ts'
import type { Quire } from '../../engine/quire.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Store } from '../../ports/index.ts'
import { createQuire } from '../../quire.ts'

const configId = 'magazine'
let quire: Quire
let api: Api
/** Names of the store's methods that were called since the last count. */
let reads: string[] = []

beforeEach(async () => {
  quire = createQuire({ store: recordingReads(createMemoryStore()) })
  api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: configId })
  await api.types.create({ name: 'town', fields: [{ name: 'land', kind: 'text' }] })
  await api.types.create({
    name: 'author',
    fields: [
      { name: 'bio', kind: 'text' },
      { name: 'home', kind: 'reference', settings: { types: ['town'] } },
    ],
  })
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'author', kind: 'reference', settings: { types: ['author'] } },
      { name: 'craft', kind: 'category' },
    ],
  })
})

/** The same store, recording its reads of entities. */
function recordingReads(store: Store): Store {
  const entities = new Proxy(store.entities, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        reads.push(String(name))
        return Reflect.apply(value, target, args)
      }
    },
  })
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'entities') return entities
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function prepare(count: number): Promise<void> {
  const taxonomy = await api.taxonomies.create({ configId, name: `Crafts of ${count}` })
  for (let index = 0; index < count; index += 1) {
    const { id: craft } = await api.categories.create({
      configId,
      taxonomyId: taxonomy.id,
      name: `Craft ${index}`,
    })
    const town = await created('town', { land: 'Here' })
    const author = await created('author', { bio: 'Writes', home: town })
    await created('article', { title: 'Ink', author, craft })
  }
}

async function created(type: string, fields: Record<string, string>): Promise<string> {
  return (await api.items.create({ repositoryId: configId, type, name: type, fields })).id
}

/** Creates essays that refer to files and categories in every possible way. */
async function prepareEssays(count: number): Promise<void> {
  const taxonomy = await api.taxonomies.create({ configId, name: `Colours of ${count}` })
  for (let index = 0; index < count; index += 1) {
    const at = { configId, taxonomyId: taxonomy.id }
    const colour = (await api.categories.create({ ...at, name: `Colour ${index}` })).id
    const theme = (await api.categories.create({ ...at, name: `Theme ${index}` })).id
    const file = new File([`Text ${index}`], 'text.txt', { type: 'text/plain' })
    const scan = (await api.assets.create({ configId, type: 'scan', name: 'Scan', file })).id
    const fields = {
      cover: scan,
      scans: [scan],
      details: { by: await created('author', { bio: 'Writes' }) },
      parts: [{ type: 'plate', image: scan, colour }],
    }
    await api.items.create({
      repositoryId: configId,
      type: 'essay',
      name: 'Essay',
      categories: [theme],
      fields,
    })
  }
}

async function makeEssayType(): Promise<void> {
  await api.types.create({ name: 'scan', fields: [], settings: { isAsset: true } })
  await api.types.create({
    name: 'essay',
    fields: [
      { name: 'cover', kind: 'asset' },
      { name: 'scans', kind: 'asset', list: true },
      { name: 'details', kind: 'group', settings: { fields: [{ name: 'by', kind: 'reference' }] } },
      {
        name: 'parts',
        kind: 'union',
        list: true,
        settings: {
          variants: [
            {
              name: 'plate',
              fields: [
                { name: 'image', kind: 'asset' },
                { name: 'colour', kind: 'category' },
              ],
            },
          ],
        },
      },
    ],
  })
}

const essay = `... on Essay {
  categories { name } versionHistory { version }
  cover { asset { size } renditions { url } rendition(name: "original") { url } }
  scans { name categories { name } } details { by { name } }
  parts { ... on Essay_Parts_Plate { image { name } colour { name } } }
}`

/** The reads for 2 and for 25 essays. */
async function readsOfEssays(query: string): Promise<[few: string[], many: string[]]> {
  const readsOf = async (essays: number) => {
    await quire.settled()
    await ask('{ __typename }')
    reads = []
    const { data } = await ask(query)
    const made = reads
    expect(JSON.stringify(data).match(/"colour":\{"name":"Colour/g)).toHaveLength(essays)
    return made
  }
  await makeEssayType()
  await prepareEssays(2)
  const few = await readsOf(2)
  await prepareEssays(23)
  return [few, await readsOf(25)]
}

const nested = '{ articles(limit: 25) { items { title craft { name } author { bio home { land } } } } }'
const ask = (query: string) => api.graphql.execute({ configId, query })

/** The reads for a list of articles, of which `towns` lead to a town. */
async function readsOfList(towns: number): Promise<string[]> {
  // Background jobs after the writes also read, and the first execution builds the schema.
  await quire.settled()
  await ask('{ __typename }')
  reads = []
  const { data } = await ask(nested)
  const made = reads
  expect(JSON.stringify(data).match(/"land":"Here"/g)).toHaveLength(towns)
  return made
}

describe('a graph', () => {
  it('makes as many reads for 25 items with nested references as for two', async () => {
    await prepare(2)
    const few = await readsOfList(2)
    expect(few.length).toBeLessThanOrEqual(6)
    await prepare(23)
    expect(await readsOfList(25)).toEqual(few)
  })

  it.each([
    ['a list', `{ essays(limit: 25) { items { ${essay} } count } }`],
    ['a search', `{ search(text: "essay", limit: 25) { items { ${essay} } count } }`],
  ])('makes as many reads for 25 items with files and categories as for two in %s', async (_what, query) => {
    const [few, many] = await readsOfEssays(query)
    expect(few.length).toBeLessThanOrEqual(8)
    expect(many).toEqual(few)
  })

  it('stops reading items that refer to each other at the cost limit', async () => {
    await api.types.create({ name: 'web', fields: [{ name: 'links', kind: 'reference', list: true }] })
    const about = { repositoryId: configId, type: 'web' }
    const ids: string[] = []
    for (let index = 0; index < 10; index += 1)
      ids.push((await api.items.create({ ...about, name: `Node ${index}`, fields: {} })).id)
    for (const id of ids) await api.items.update({ configId, id, fields: { links: ids } })
    const deep = (levels: number): string =>
      levels === 0 ? 'id' : `... on Web { links { ${deep(levels - 1)} } }`
    const { data, errors } = await ask(`{ item(id: "${ids[0]}") { ${deep(5)} } }`)
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'too_complex' } })
    // Without a limit it would be four million, because each level has ten times as many.
    expect(JSON.stringify(data).length).toBeLessThan(1_000_000)
    expect(errors?.length).toBeLessThan(5000)
    const shallow = await ask(`{ item(id: "${ids[0]}") { ${deep(3)} } }`)
    expect(shallow.errors).toBeUndefined()
    expect(JSON.stringify(shallow.data).match(/"id"/g)).toHaveLength(1000)
  })

  it('is replaced when a content type changes, while running requests keep the old one', async () => {
    await prepare(3)
    const { fields } = await api.types.get({ id: 'article' })
    const added = 'note'
    const asking = Array.from({ length: 50 }, () => ask(nested))
    const changing = api.types.update({ id: 'article', fields: [...fields, { name: added, kind: 'text' }] })
    const during = Array.from({ length: 50 }, () => ask(nested))
    await changing
    for (const { data, errors } of await Promise.all([...asking, ...during])) {
      expect(errors).toBeUndefined()
      expect(data).toMatchObject({ articles: { items: [{ title: 'Ink' }, {}, {}] } })
    }
    expect(await ask(`{ articles(limit: 1) { items { ${added} } } }`)).toEqual({
      data: { articles: { items: [{ note: null }] } },
    })
  })

  it('answers while it is reloaded', async () => {
    await prepare(2)
    await api.admin.process({ id: configId, reloadGraph: true })
    const answers: Promise<{ errors?: unknown }>[] = []
    const ended = quire.settled().then(() => 'ended')
    const next = () => Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1, 'under way'))])
    do answers.push(ask(nested))
    while ((await next()) !== 'ended')
    expect((await Promise.all(answers)).map(({ errors }) => errors)).toEqual(answers.map(() => undefined))
    const [job] = (await api.queue.list({ kind: 'graph.reload' })).items
    expect(job).toMatchObject({ state: 'succeeded' })
  })

  it('has the content types that its repository allows', async () => {
    const inQuery = async () => {
      const { data } = await ask('{ __schema { queryType { fields { name } } } }')
      const schema = data?.['__schema'] as { queryType: { fields: { name: string }[] } } | undefined
      return schema?.queryType.fields.map(({ name }) => name)
    }
    const own = ['item', 'search']
    await prepare(1)
    expect(await inQuery()).toEqual([...own, 'town', 'towns', 'author', 'authors', 'article', 'articles'])
    await api.repositories.update({ id: configId, settings: { allowedTypes: ['author'] } })
    expect(await inQuery()).toEqual([...own, 'author', 'authors'])
    const home = { __typename: 'OtherItem', name: 'town' }
    expect(await ask('{ authors { items { home { __typename name } } } }')).toEqual({
      data: { authors: { items: [{ home }] } },
    })
  })

  it('can be queried for a repository without content types', async () => {
    const empty = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
    await empty.repositories.create({ name: configId })
    const query = '{ item(id: "CONT_1") { name } search(text: "x") { count } }'
    const asked = await empty.graphql.execute({ configId, query })
    expect(asked).toEqual({ data: { item: null, search: { count: 0 } } })
  })

  it('represents a group without fields as JSON', async () => {
    const group = { kind: 'group' as const, settings: { fields: [] } }
    await api.types.create({
      name: 'shelf',
      fields: [
        { name: 'empty', ...group },
        { name: 'many', ...group, list: true },
        { name: 'outer', kind: 'group', settings: { fields: [{ name: 'inner', ...group }] } },
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: { variants: [{ name: 'rule', fields: [] }] },
        },
      ],
    })
    const fields = { empty: {}, many: [{}, {}], outer: { inner: {} }, blocks: [{ type: 'rule' }] }
    await api.items.create({ repositoryId: configId, type: 'shelf', name: 'Shelf', fields })
    const asked = await ask('{ shelfs { items { empty many outer { inner } } } }')
    const { blocks: _blocks, ...groups } = fields
    expect(asked).toEqual({ data: { shelfs: { items: [groups] } } })
  })

  it('does not reveal the cause of an internal error', async () => {
    const broken = createMemoryStore()
    const own = createQuire({ store: broken }).as(systemIdentity('test'))
    await own.repositories.create({ name: configId })
    await own.graphql.execute({ configId, query: '{ item(id: "CONT_1") { id } }' })
    Object.defineProperty(broken.entities, 'getMany', {
      value: () => Promise.reject(new Error('secret path')),
    })
    const { errors } = await own.graphql.execute({ configId, query: '{ item(id: "CONT_1") { name } }' })
    expect(errors).toMatchObject([{ extensions: { code: 'internal' }, path: ['item'] }])
    expect(JSON.stringify(errors)).not.toContain('secret')
  })
})
