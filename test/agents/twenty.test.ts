import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesk, use, type Desk } from './desk.ts'

const agents = 20
const itemsOfEach = 5

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())

it(
  `${agents} agents work in ${agents} packages at once, and all of it is merged`,
  { timeout: 120_000 },
  async () => {
    const create = async (number: number) => {
      const fields = { title: 'Shared', body: `Line ${number}` }
      const item = { repositoryId: 'magazine', type: 'article', name: `Shared ${number}`, fields }
      return desk.api.items.create(item)
    }
    const shared = await Promise.all(Array.from({ length: agents }, (_, number) => create(number)))
    const numbers = [...shared.keys()]
    const hired = await Promise.all(numbers.map((number) => desk.hire({ name: `Agent ${number}` })))
    const names = await Promise.all(
      hired.map(async (account, number) => {
        const client = await desk.connect('2026-07-28', account)
        const first = await use(client, 'draft', {
          repository: 'magazine',
          id: shared[number]?.id,
          fields: { body: `By ${number}` },
        })
        const { packageName } = first.about
        for (let step = 0; step < itemsOfEach; step += 1) {
          const name = `Item ${step} of ${number}`
          const drafted = await use(client, 'draft', {
            repository: 'magazine',
            packageName,
            type: 'article',
            name,
            fields: { title: name },
          })
          expect(drafted).toMatchObject({ isError: false, about: { packageName } })
        }
        const asked = await use(client, 'request_review', {
          repository: 'magazine',
          packageName,
          summary: 'Done',
        })
        expect(asked.about).toMatchObject({ review: { state: 'requested' } })
        return String(packageName)
      }),
    )
    expect(new Set(names).size).toBe(agents)
    await Promise.all(names.map((packageName) => desk.api.packages.merge({ repo: 'magazine', packageName })))
    const { count } = await desk.api.items.list({ configId: 'magazine', limit: 1 })
    expect(count).toBe(agents + agents * itemsOfEach)
    for (const [number, { id }] of shared.entries()) {
      const { fields } = await desk.api.items.get({ configId: 'magazine', id })
      expect(fields).toEqual({ title: 'Shared', body: `By ${number}` })
    }
  },
)

it('gives the tasks of one account different packages, also at the same time', async () => {
  const client = await desk.connect()
  const draft = (number: number) =>
    use(client, 'draft', {
      repository: 'magazine',
      type: 'article',
      name: `Task ${number}`,
      fields: { title: 'x' },
    })
  const drafted = await Promise.all(Array.from({ length: 8 }, (_, number) => draft(number)))
  const names = drafted.map(({ about }) => String(about['packageName']))
  expect(new Set(names).size).toBe(8)
  for (const name of names) expect(name).toMatch(/^agent\/translator\/\d{4}-\d\d-\d\d-\d+$/)
  const { items } = await desk.api.packages.list({
    repo: 'magazine',
    agent: desk.agent.kind === 'service' ? desk.agent.id : '',
  })
  expect(items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

it('has a package for an account that is named like a word of the API', async () => {
  const client = await desk.connect('2026-07-28', await desk.hire({ name: 'Merge' }))
  const { about } = await use(client, 'draft', { repository: 'magazine', type: 'article', name: 'Mine' })
  expect(about['packageName']).toMatch(/^agent\/merge-agent\//)
})
