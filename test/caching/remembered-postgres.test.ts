import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { openPostgresStore } from '@quire/store-postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { databaseUrl, dropSchema, location, testDatabase, testSchema } from '../services/postgres.ts'
import { rememberedReads, withoutCommits } from './remembered-steps.ts'

const schemas: string[] = []

afterAll(() => Promise.all(schemas.map(dropSchema)))

function open(): () => Promise<Store> {
  const schema = testSchema()
  schemas.push(schema)
  return () => openPostgresStore({ url: databaseUrl(), schema })
}

/** The same store, and how many lists of entities were read from it. */
function counting(store: Store) {
  const read = { lists: 0 }
  const { entities } = store
  const counted: Store = {
    ...store,
    entities: {
      ...entities,
      list(...given) {
        read.lists += 1
        return entities.list(...given)
      },
    },
  }
  return { read, counted }
}

describe.skipIf(testDatabase === null)(`remembered answers on PostgreSQL ${location}`, () => {
  it('a server remembers a list until any server commits, and then reads it at once', async () => {
    const openOne = open()
    const { read, counted } = counting(await openOne())
    const [here, there] = [createQuire({ store: counted }), createQuire({ store: await openOne() })]
    const [one, other] = [here, there].map((quire) => quire.as(systemIdentity('desk'))) as [Api, Api]
    await other.repositories.create({ name: 'shelf' })
    await other.types.create({ name: 'book', fields: [{ name: 'title', kind: 'text' }] })
    const book = { repositoryId: 'shelf', type: 'book', fields: { title: 'T' } }
    const { id } = await other.items.create({ ...book, name: 'First' })
    const list = { configId: 'shelf', sort: 'name', limit: 1 }
    await expect.poll(() => one.items.list(list).catch(() => null)).toMatchObject({ count: 1 })
    // The first reads are remembered once it is known that nothing was committed meanwhile.
    const untilRemembered = () =>
      expect
        .poll(async () => {
          const before = read.lists
          await one.items.list(list)
          await here.settled()
          return read.lists - before
        })
        .toBe(0)
    for (let round = 2; round < 6; round += 1) {
      await untilRemembered()
      await other.items.create({ ...book, name: `More ${round}` })
      expect((await one.items.list(list)).count).toBe(round)
      await other.items.update({ configId: 'shelf', id, description: `${round}` })
      expect((await one.items.list(list)).items[0]?.description).toBe(`${round}`)
    }
    await Promise.all([here.close(), there.close()])
  })

  rememberedReads({
    name: 'the database',
    numRuns: 2,
    open: () => open()(),
    withoutCaches: withoutCommits,
  })
})
