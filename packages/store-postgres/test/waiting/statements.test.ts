import { createQuire, systemIdentity } from '@quire/core'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { location, openTestStore, testDatabase } from '../../../../test/services/postgres.ts'

const CHANGES = 100

/** Counts the statements sent to the database meanwhile. */
async function counted(work: () => Promise<unknown>) {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await work()
    const texts = query.mock.calls.map(([statement]: readonly unknown[]) =>
      typeof statement === 'object' && statement !== null && 'text' in statement
        ? String(statement.text)
        : String(statement),
    )
    const matching = (kind: RegExp) => texts.filter((text) => kind.test(text)).length
    const writes = matching(/^(?:INSERT|UPDATE|DELETE|WITH)/)
    return { writes, savepoints: matching(/^SAVEPOINT/), all: texts.length }
  } finally {
    query.mockRestore()
  }
}

describe.skipIf(testDatabase === null)(`the statements in PostgreSQL ${location}`, () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  beforeEach(async () => void (opened = await openTestStore()))
  afterEach(() => opened.dispose())

  const started = async () => {
    const quire = createQuire({ store: opened.store }).as(systemIdentity('statements'))
    await quire.repositories.create({ name: 'magazine' })
    const fields = [
      { name: 'title', kind: 'text', required: true },
      { name: 'minutes', kind: 'number' },
    ] as const
    await quire.types.create({ name: 'article', fields: [...fields] })
    const create = (index: number) =>
      quire.items.create({
        repositoryId: 'magazine',
        type: 'article',
        name: `Ink ${index}`,
        fields: { title: `Ink ${index}`, minutes: index },
      })
    return { quire, create }
  }

  it('of creates and saves write the content and the journal, however many are committed together', async () => {
    const { quire, create } = await started()
    const { id } = await create(0)
    expect(await counted(() => create(1))).toEqual({ writes: 2, savepoints: 0, all: 8 })
    const many = await counted(() => Promise.all(Array.from({ length: 32 }, (_, index) => create(index + 2))))
    // Some begin before the others wait.
    expect(many.writes).toBeLessThanOrEqual(8)
    const save = () => quire.items.update({ configId: 'magazine', id, fields: { title: 'Dry' } })
    expect(await counted(save)).toEqual({ writes: 3, savepoints: 0, all: 10 })
  })

  it(`of a merge of ${CHANGES} changes write a few times`, { timeout: 120_000 }, async () => {
    const { quire, create } = await started()
    const items = await Promise.all(Array.from({ length: CHANGES }, (_, index) => create(index)))
    const { name: packageName } = await quire.packages.create({ repo: 'magazine', name: 'spring' })
    for (const { id } of items)
      await quire.items.update({ configId: 'magazine', packageName, id, fields: { title: `New ${id}` } })
    const merged = await counted(() => quire.packages.merge({ repo: 'magazine', packageName }))
    expect(merged.writes).toBeLessThanOrEqual(12)
  })
})
