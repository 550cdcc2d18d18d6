import { beforeEach, describe, expect, it } from 'vitest'
import { createQuire, systemIdentity, type Quire } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'

const hour = 3_600_000
const noon = Date.UTC(2026, 0, 1, 12)

let now: number
let quire: Quire
const root = () => quire.as(systemIdentity('test'))

beforeEach(async () => {
  now = noon
  quire = createQuire({ store: createMemoryStore(), clock: { now: () => now } })
  await root().repositories.create({ name: 'magazine' })
  await root().types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
})

describe('a clock that is set back', () => {
  it('never dates a version before the previous one', async () => {
    const { id } = await root().items.create({ repositoryId: 'magazine', type: 'note', name: 'First' })
    const scope = { configId: 'magazine', id }
    now = noon + 1000
    await root().items.update({ ...scope, name: 'Second' })
    now = noon - hour
    const third = await root().items.update({ ...scope, name: 'Third' })
    expect([third.createdDate, third.updatedDate]).toEqual([noon, noon + 1000])
    const published = await root().items.publish(scope)
    expect(published.publishedDate).toBe(noon + 1000)
    const { items } = await root().items.versions(scope)
    expect(items.map(({ version, updatedDate }) => [version, updatedDate])).toEqual([
      [3, noon + 1000],
      [2, noon + 1000],
      [1, noon],
    ])
    now = noon + hour
    expect(await root().items.update({ ...scope, name: 'Fourth' })).toMatchObject({
      updatedDate: noon + hour,
    })
  })

  it('does not change what a past time shows', async () => {
    const { id } = await root().items.create({ repositoryId: 'magazine', type: 'note', name: 'First' })
    const scope = { configId: 'magazine', id }
    now = noon + hour
    await root().items.update({ ...scope, name: 'Second' })
    now = noon + 1000
    await root().items.update({ ...scope, name: 'Third' })
    now = noon + 2 * hour
    const nameAt = async (at: number) => (await root().items.get({ ...scope, at })).name
    expect(await nameAt(noon + 2000)).toBe('First')
    expect(await nameAt(noon + hour)).toBe('Third')
    await expect(nameAt(noon - 1)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('never dates a change of a folder before its creation', async () => {
    const folder = await root().folders.create({ configId: 'magazine', name: 'Pictures' })
    now = noon - hour
    const renamed = await root().folders.update({ configId: 'magazine', id: folder.id, name: 'Drawings' })
    expect(renamed.updatedDate).toBe(noon)
  })
})
