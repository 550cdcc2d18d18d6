import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore } from '../src/open-store.ts'
import { writerLock } from '../src/writer-lock.ts'
import {
  asAdministrator,
  databaseUrl,
  location,
  openTestStore,
  testDatabase,
} from '../../../test/services/postgres.ts'

/** Within this time a health check must tell. */
const TOLD_MS = 5_000

const busy = { name: 'StoreUnavailable', kind: 'busy' }

describe.skipIf(testDatabase === null)(`a ping of PostgreSQL ${location}`, () => {
  let store: PostgresStore
  let schema: string
  let openAnother: () => Promise<PostgresStore>
  let dispose: () => Promise<void>
  let stranger: Client
  beforeEach(async () => {
    ;({ store, schema, openAnother, dispose } = await openTestStore())
    stranger = new Client({ connectionString: databaseUrl(), application_name: 'a script' })
    await stranger.connect()
    await put('before')
  })
  afterEach(async () => {
    await stranger.end()
    await dispose()
  })

  const put = (key: string) => store.transaction((tx) => tx.ephemera.put(key, key, 10))
  const answer = () => store.ping().then(() => 'ok', String)

  it.each([
    ['the lock of the writers', () => `SELECT pg_advisory_xact_lock(${writerLock(schema)})`, 'a script'],
    ['all access to heads', () => `LOCK TABLE ${schema}.heads`, 'busy'],
    ['writes to heads', () => `LOCK TABLE ${schema}.heads IN SHARE MODE`, 'busy'],
    ['an update of the schema', () => `UPDATE ${schema}.schema_version SET version = version`, 'busy'],
  ])(
    'fails while another program holds up %s, and no longer',
    { timeout: 30_000 },
    async (_name, statement, reason) => {
      await stranger.query('BEGIN')
      await stranger.query(statement())
      await expect.poll(answer, { timeout: TOLD_MS }).toContain(reason)
      await expect(store.ping()).rejects.toMatchObject(busy)
      await stranger.query('ROLLBACK')
      await expect.poll(answer, { timeout: TOLD_MS }).toBe('ok')
      await put('after')
    },
  )

  it('succeeds during a long write of this or another server', { timeout: 30_000 }, async () => {
    const other = await openAnother()
    for (const writer of [store, other]) {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const long = writer.transaction(async (tx) => {
        await tx.ephemera.put('long', 'long', 10)
        begin()
        await sleep(4_000)
      })
      await begun
      for (const end = performance.now() + 3_500; performance.now() < end; await sleep(250)) {
        expect(await store.ping()).toBeUndefined()
        expect(await other.ping()).toBeUndefined()
      }
      await long
    }
    await other.close()
  })

  it('says that a write found no room, until one does', async () => {
    await asAdministrator((client) =>
      client.query(`
      CREATE FUNCTION ${schema}.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON ${schema}.ephemera FOR EACH ROW EXECUTE FUNCTION ${schema}.fail()`),
    )
    const full = { name: 'StoreUnavailable', kind: 'full' }
    await expect(put('after')).rejects.toMatchObject(full)
    await expect(store.ping()).rejects.toMatchObject(full)
    await asAdministrator((client) => client.query(`DROP TRIGGER fail ON ${schema}.ephemera`))
    await put('after')
    expect(await store.ping()).toBeUndefined()
  })

  it('writes at most one row a second, and none while others are written', { timeout: 30_000 }, async () => {
    const writes = async () => {
      const { rows } = await stranger.query<{ written: string }>(
        `SELECT xmin::text AS written FROM ${schema}.schema_version`,
      )
      return rows[0]?.written
    }
    const before = await writes()
    for (let round = 0; round < 10; round++) {
      await put('again')
      await Promise.all(Array.from({ length: 10 }, () => store.ping()))
      await sleep(150)
    }
    expect(await writes()).toBe(before)
    await sleep(2_500)
    const seen = new Set<string | undefined>([before])
    for (const end = performance.now() + 2_000; performance.now() < end; await sleep(20)) {
      await Promise.all(Array.from({ length: 10 }, () => store.ping()))
      seen.add(await writes())
    }
    expect(seen.size - 1).toBeGreaterThanOrEqual(1)
    expect(seen.size - 1).toBeLessThanOrEqual(3)
  })
})
