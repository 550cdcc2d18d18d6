import { describe, expect, it } from 'vitest'
import { asAdministrator, openTestStore, location, testDatabase } from '../../../test/services/postgres.ts'

describe.skipIf(testDatabase === null)(`a database that reports damage, PostgreSQL ${location}`, () => {
  it(
    'is still read, but no longer written, by processes that met the damage',
    { timeout: 60_000 },
    async () => {
      const { store, schema, dispose } = await openTestStore()
      const put = (key: string) => store.transaction((tx) => tx.ephemera.put(key, key, 10))
      await put('before')
      await asAdministrator((client) =>
        client.query(`
        CREATE FUNCTION ${schema}.fail() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'invalid page in block 1' USING ERRCODE = 'XX001'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON ${schema}.ephemera FOR EACH ROW EXECUTE FUNCTION ${schema}.fail()`),
      )
      const damaged = {
        name: 'StoreUnavailable',
        kind: 'damaged',
        message: expect.stringContaining('quire doctor'),
      }
      await expect(put('after')).rejects.toMatchObject(damaged)
      await asAdministrator((client) => client.query(`DROP TRIGGER fail ON ${schema}.ephemera`))
      await expect(put('after')).rejects.toMatchObject(damaged)
      await expect(store.ping()).rejects.toMatchObject(damaged)
      expect(await store.ephemera.get('before', 0)).toBe('before')
      expect(await store.ephemera.get('after', 0)).toBeNull()
      await dispose()
    },
  )
})
