import { describe, expect, it } from 'vitest'
import { location, openTestStore, testDatabase } from '../../../../test/services/postgres.ts'

const sample = '"quoted", \\ back\\slash, {braces}, NULL,\n\t\u0001 é 😀 \u2028 '

describe.skipIf(testDatabase === null)(`what waiting writes store in PostgreSQL ${location}`, () => {
  it('is exactly what was given, alone and with others', { timeout: 60_000 }, async () => {
    const { store, dispose } = await openTestStore()
    const long = sample.repeat(Math.ceil(1_900_000 / sample.length))
    const values = ['', 'NULL', sample, long, `${long}!`, `${long}?`, long.repeat(3)]
    await store.transaction(async (tx) => {
      for (const [index, value] of values.entries())
        await tx.ephemera.put(`key ${index}`, value, Number.MAX_SAFE_INTEGER)
    })
    for (const [index, value] of values.entries()) {
      const read = await store.ephemera.get(`key ${index}`, Number.MAX_SAFE_INTEGER - 1)
      expect(read === value).toBe(true)
      expect(await store.ephemera.get(`key ${index}`, Number.MAX_SAFE_INTEGER)).toBeNull()
    }
    await dispose()
  })
})
