import { beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '@quire/contract'
import { createMemoryStore, fakeMedia } from '../memory/index.ts'
import type { Store } from '../ports/index.ts'
import { createQuire } from '../quire.ts'
import { anonymous, systemIdentity } from './access/identity.ts'
import { createAnswerMemo } from './answer-memo.ts'
import { Serialized } from './answer.ts'
import { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Quire } from './quire.ts'

const configId = 'news'

/** A store that counts the lists and searches that it is asked for. */
function counting(store: Store): { store: Store; reads: () => number } {
  let reads = 0
  const { entities } = store
  const counted = {
    ...entities,
    list: (...given: Parameters<typeof entities.list>) => {
      reads += 1
      return entities.list(...given)
    },
    search: (...given: Parameters<typeof entities.search>) => {
      reads += 1
      return entities.search(...given)
    },
  }
  return { store: { ...store, entities: counted }, reads: () => reads }
}

function onePixel(): File {
  const text =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NoaGgAAAMEAYGa8M1PAAAAAElFTkSuQmCC'
  return new File([Buffer.from(text, 'base64')], 'pixel.png', { type: 'image/png' })
}

describe('answers of reads', () => {
  let quire: Quire
  let reads: () => number
  let api: Api

  beforeEach(async () => {
    const counted = counting(createMemoryStore())
    reads = counted.reads
    quire = createQuire({ store: counted.store, media: fakeMedia() })
    api = quire.as(systemIdentity('test'))
    await api.repositories.create({ name: configId, public: true })
    await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
    await create('First')
  })

  const create = (name: string) =>
    api.items.create({ repositoryId: configId, type: 'note', name, fields: { text: name } })

  /** How often the store is read while `work` runs. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number> {
    const before = reads()
    await work()
    return reads() - before
  }

  it('are made once until something is committed', async () => {
    const read = () => api.items.list({ configId, select: ['name'] })
    const first = await read()
    expect(await readsDuring(read)).toBe(0)
    expect(await read()).toEqual(first)
    await create('Second')
    expect((await read()).items).toHaveLength(2)
  })

  it('are made anew after a change of records', async () => {
    const read = () => api.items.list({ configId })
    await read()
    await api.repositories.update({ id: configId, description: 'New' })
    expect(await readsDuring(read)).toBe(1)
  })

  it('are copies, which a caller may change', async () => {
    const first = await api.items.list({ configId })
    first.items.length = 0
    expect((await api.items.list({ configId })).items).toHaveLength(1)
  })

  it('belong to one caller', async () => {
    await api.items.list({ configId })
    const { id: repositoryId } = await api.repositories.get({ id: configId })
    const role = await api.roles.create({
      name: 'Reader',
      permissions: { repos: { [repositoryId]: ['items.read'] } },
    })
    const [one, other] = await Promise.all(
      [[role.id], []].map(async (roles, index) => {
        const { id } = await api.serviceAccounts.create({ name: `Account ${index}`, roles })
        return quire.as({ kind: 'service', id })
      }),
    )
    expect((await one?.items.list({ configId }))?.items).toHaveLength(1)
    await expect(other?.items.list({ configId })).rejects.toMatchObject({ code: 'forbidden' })
    await api.roles.update({ id: role.id, permissions: {} })
    await expect(one?.items.list({ configId })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('have the same cache tags each time', async () => {
    const [{ id } = { id: '' }] = (await api.items.list({ configId })).items
    await api.items.publish({ configId, id })
    const visitor = quire.as(anonymous)
    const tags: (readonly string[] | undefined)[] = []
    const read = () =>
      visitor.published.item({ configId, id }, { onAnswer: ({ cacheTags }) => tags.push(cacheTags) })
    await read()
    await read()
    expect(tags[0]?.length).toBeGreaterThan(1)
    expect(tags[1]).toEqual(tags[0])
  })

  it('are made anew for a search of words, whose index is also written by jobs', async () => {
    const search = () => api.items.list({ configId, text: 'first' })
    await search()
    expect(await readsDuring(search)).toBeGreaterThan(0)
  })

  it('are made anew where they show which presets have been rendered', async () => {
    await api.types.create({ name: 'picture', settings: { isAsset: true }, fields: [] })
    const { id } = await api.assets.create({ configId, name: 'Picture', file: onePixel() })
    const query = `{ item(id: "${id}", version: "latest") { renditions { name size } } }`
    const sizeOf = async () => {
      const { data } = await api.graphql.query({ configId, query })
      const item = data?.['item'] as { renditions: { name: string; size: number }[] } | undefined
      return item?.renditions.find(({ name }) => name === 'thumbnail')?.size
    }
    expect(await sizeOf()).toBe(null)
    const picture = await api.assets.get({ configId, assetId: id, rendition: 'thumbnail' })
    const { byteLength } = await picture.bytes()
    await quire.settled()
    expect(await sizeOf()).toBe(byteLength)
  })

  it('are made anew for a mutation', async () => {
    const query = 'mutation { createNote(input: { name: "Made" }) { id } }'
    await api.graphql.execute({ configId, query })
    await api.graphql.execute({ configId, query })
    expect((await api.items.list({ configId })).items).toHaveLength(3)
  })
})

describe('the memory of answers', () => {
  it('is limited, also if short answers depend on many items', () => {
    const known = createAnswerMemo().since(1)
    for (let index = 0; index < 100; index += 1) {
      const tags = new AnswerTags()
      for (let item = 0; item < 5000; item += 1) tags.item(`CONT_${item}`)
      known.set(`answer ${index}`, { answer: new Serialized('{}', null), tags, attributes: {} })
    }
    expect(known.size).toBeGreaterThan(10)
    expect(known.size).toBeLessThan(40)
  })
})
