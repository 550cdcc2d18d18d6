import { afterEach, describe, expect, it, vi } from 'vitest'
import { asAdministrator, location, openTestStore, testDatabase } from '../../../../test/services/postgres.ts'

describe.skipIf(testDatabase === null)(`waiting writes that fail in PostgreSQL ${location}`, () => {
  afterEach(() => void vi.useRealTimers())

  it('make all transactions of the commit fail with their error, and none after it', async () => {
    const { store, schema, dispose } = await openTestStore()
    const rename = (from: string, to: string) =>
      asAdministrator((client) => client.query(`ALTER TABLE ${schema}.${from} RENAME TO ${to}`))
    await rename('texts', 'gone')
    // On a busy machine, the second connection would take what has waited for long.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const ended = await Promise.allSettled([
      store.transaction((tx) => tx.ephemera.put('first', 'lost', 9)),
      store.transaction((tx) => tx.texts.put('hash', 'text')),
      store.transaction((tx) => tx.ephemera.put('last', 'lost', 9)),
    ])
    vi.useRealTimers()
    for (const one of ended) expect(one).toMatchObject({ status: 'rejected', reason: { code: '42P01' } })
    await rename('gone', 'texts')
    await store.transaction((tx) => tx.texts.put('hash', 'text'))
    expect(await store.texts.get('hash')).toBe('text')
    for (const key of ['first', 'last']) expect(await store.ephemera.get(key, 1)).toBeNull()
    await dispose()
  })
})
