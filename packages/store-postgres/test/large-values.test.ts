import { randomBytes } from 'node:crypto'
import { anEntity, nextVersion, onRandomVersions, testRepository } from '@quire/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresStore } from '../src/open-store.ts'
import { asAdministrator, location, openTestStore, testDatabase } from '../../../test/services/postgres.ts'

const main = { repositoryId: testRepository, packageId: null }

describe.skipIf(testDatabase === null)(`large values in PostgreSQL ${location}`, () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let store: PostgresStore
  beforeEach(async () => {
    opened = await openTestStore()
    store = opened.store
  })
  afterEach(() => opened.dispose())

  const rowsOf = (sql: string): Promise<Record<string, unknown>[]> =>
    asAdministrator(async (client) => {
      await client.query(`SET search_path TO ${opened.schema}`)
      return (await client.query<Record<string, unknown>>(sql)).rows
    })

  const stored = async () =>
    (await rowsOf('SELECT hash FROM large_values ORDER BY hash')).map(({ hash }) => hash)

  /** Hashes that versions or heads point to. */
  const needed = async () => {
    const tables = ['versions', 'bodies', 'head_json'].map(
      (table) =>
        `SELECT p.hash FROM ${table}, jsonb_array_elements_text(parts::jsonb) WITH ORDINALITY AS p (hash, position) WHERE p.position % 2 = 0`,
    )
    const rows = await rowsOf(`SELECT DISTINCT hash FROM (${tables.join(' UNION ALL ')}) t ORDER BY hash`)
    return rows.map(({ hash }) => hash)
  }

  it('are stored exactly as long as a version or a head points to them', { timeout: 120_000 }, async () => {
    let most = 0
    await onRandomVersions(store, async () => {
      expect(await stored()).toEqual(await needed())
      most = Math.max(most, (await stored()).length)
    })
    expect(most).toBeGreaterThan(3)
    expect(await stored()).toEqual([])
    expect(await rowsOf('SELECT hash FROM version_values')).toEqual([])
  })

  it(
    'remain for one process while another deletes their last other version',
    { timeout: 60_000 },
    async () => {
      const another = await opened.openAnother()
      const big = 'lantern '.repeat(20_000)
      const body = { big }
      const put = (on: PostgresStore, id: string) =>
        on.transaction((tx) => tx.entities.put(anEntity({ id, body }), 0))
      const purge = (on: PostgresStore, id: string) =>
        on.transaction((tx) => tx.entities.purge(main, { kind: 'item', id }))
      await put(store, 'CONT_0')
      for (let at = 0; at < 20; at += 1)
        await Promise.all([purge(store, `CONT_${at}`), put(another, `CONT_${at + 1}`)])
      const last = await another.entities.get(main, 'item', 'CONT_20')
      expect(last?.body).toEqual(body)
      expect(await stored()).toEqual(await needed())
      expect(await stored()).toHaveLength(1)
      await another.close()
    },
  )

  it(
    'add less than 1 MB to the database when an item with 5 MB is patched 25 times',
    { timeout: 120_000 },
    async () => {
      const big = randomBytes(2_500_000).toString('hex')
      const bodyOf = (title: string) => {
        const body = { fields: { title, big } }
        return { body, json: JSON.stringify({ id: 'CONT_1', ...body }) }
      }
      let head = anEntity({ id: 'CONT_1', ...bodyOf('The first title') })
      await store.transaction((tx) => tx.entities.put(head, 0))
      const size = async () => {
        const sum = `SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = '${opened.schema}'::regnamespace`
        return Number((await rowsOf(sum))[0]?.['bytes'])
      }
      const before = await size()
      for (let at = 1; at <= 25; at += 1) {
        head = nextVersion(head, bodyOf(`Title number ${at}`))
        await store.transaction((tx) => tx.entities.put(head, at))
      }
      expect((await size()) - before).toBeLessThan(1_000_000)
      const first = await store.entities.version(main, { kind: 'item', id: 'CONT_1' }, 1)
      expect(first?.body).toEqual(bodyOf('The first title').body)
    },
  )
})
