import { beforeEach, describe, expect, it } from 'vitest'
import { createQuire, systemIdentity, type Quire } from '../index.ts'
import { createMemoryStore } from '../memory/index.ts'
import { StoreUnavailable } from '../ports/index.ts'

const message = 'No room is left: 10 bytes are free, and 20 must stay free.'

/** Whether there is room; set by the tests. */
let isFull: boolean
let quire: Quire
const root = () => quire.as(systemIdentity('test'))

const add = (name: string) =>
  root().items.create({ repositoryId: 'magazine', type: 'note', name, fields: { text: 'Ink' } })
const named = async (name: string) => (await add(name)).id

beforeEach(async () => {
  isFull = false
  const requireRoom = async () => {
    if (isFull) throw new StoreUnavailable('full', message)
  }
  quire = createQuire({ store: { ...createMemoryStore(), requireRoom } })
  await root().repositories.create({ name: 'magazine' })
  await root().types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
})

const refused = { status: 507, code: 'no_room', message }

describe('without enough free space', () => {
  it('nothing can be added or changed in any way', async () => {
    const id = await named('One')
    const scope = { configId: 'magazine', id }
    const graphql = (query: string) => root().graphql.execute({ configId: 'magazine', query })
    isFull = true
    await expect(add('Two')).rejects.toMatchObject(refused)
    await expect(root().items.update({ ...scope, name: 'Other' })).rejects.toMatchObject(refused)
    await expect(root().items.copy(scope)).rejects.toMatchObject(refused)
    const bulk = { configId: 'magazine', ids: [id] }
    await expect(
      root().items.bulk({ ...bulk, action: 'update', input: { name: 'Other' } }),
    ).rejects.toMatchObject(refused)
    await expect(root().folders.create({ configId: 'magazine', name: 'Pictures' })).rejects.toMatchObject(
      refused,
    )
    await expect(
      root().types.update({ id: 'note', fields: [{ name: 'text', kind: 'text' }] }),
    ).rejects.toMatchObject(refused)
    const { errors } = await graphql('mutation { createNote(input: { name: "Two" }) { id } }')
    expect(errors).toMatchObject([{ message, extensions: { code: 'no_room' } }])
    const { items } = await root().items.list({ configId: 'magazine' })
    expect(items.map(({ name, latestVersion }) => [name, latestVersion])).toEqual([['One', 1]])
  })

  it('existing data can be read, dry-run, closed, deleted and abandoned', async () => {
    const [one, two, three, four] = [await named('1'), await named('2'), await named('3'), await named('4')]
    const at = (id: string) => ({ configId: 'magazine', id })
    await root().items.publish(at(four))
    await root().packages.create({ repo: 'magazine', name: 'spring' })
    isFull = true
    expect(await root().queries.run({ configId: 'magazine' })).toMatchObject({ count: 4 })
    const foretold = { configId: 'magazine', ids: [one], dryRun: true }
    expect(await root().items.bulk({ ...foretold, action: 'publish' })).toMatchObject({ succeeded: 1 })
    await root().items.archive(at(three))
    await root().items.unpublish(at(four))
    await root().items.delete(at(one))
    await root().items.bulk({ configId: 'magazine', action: 'delete', ids: [two] })
    await root().graphql.execute({ configId: 'magazine', query: `mutation { deleteNote(id: "${three}") }` })
    await root().types.update({ id: 'note', settings: { versionLimit: 2 } })
    await root().packages.delete({ repo: 'magazine', packageName: 'spring' })
    const { items } = await root().items.list({ configId: 'magazine' })
    expect(items.map(({ id }) => id)).toEqual([four])
  })

  it('jobs that add data wait, and start as soon as there is room', async () => {
    await root().packages.create({ repo: 'magazine', name: 'spring' })
    await root().items.create({
      repositoryId: 'magazine',
      packageName: 'spring',
      type: 'note',
      name: 'In spring',
    })
    await root().packages.merge({ repo: 'magazine', packageName: 'spring', mergeAt: Date.now() + 20 })
    isFull = true
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    quire.work()
    await quire.settled()
    expect(await root().items.list({ configId: 'magazine' })).toMatchObject({ count: 0 })
    isFull = false
    await expect
      .poll(() => root().items.list({ configId: 'magazine' }), { timeout: 5_000 })
      .toMatchObject({ count: 1 })
    await quire.close()
  })
})

describe('when there is room again', () => {
  it('the next write succeeds', async () => {
    isFull = true
    await expect(add('Two')).rejects.toMatchObject(refused)
    isFull = false
    expect(await add('Two')).toMatchObject({ name: 'Two' })
  })
})
