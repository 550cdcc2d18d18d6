import { type Row, copiedTables, postgresMigrations, triggeredTables, wordsTable } from '@quire/store-sql'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../../test/services/postgres.ts'
import { migrate } from '../migrate.ts'
import { openPostgresStore } from '../open-store.ts'
import { openPostgresCopied, openPostgresCopy } from './open-copy.ts'

const tables = [...copiedTables, ...triggeredTables, wordsTable]

function tableOf(name: string) {
  const table = tables.find((one) => one.name === name)
  if (!table) throw new Error(name)
  return table
}

const ephemera = tableOf('ephemera')
const branches = tableOf('branches')

describe.skipIf(testDatabase === null)(`copying to PostgreSQL ${location}`, () => {
  let schema: string
  beforeEach(() => {
    schema = testSchema()
  })
  afterEach(() => dropSchema(schema))
  const open = (source = 'one') => openPostgresCopy({ url: databaseUrl(), schema, source })
  const openStore = () => openPostgresStore({ url: databaseUrl(), schema, maxConnections: 6 })
  const query = (text: string) =>
    asAdministrator(async (client: Client) => {
      await client.query(`SET search_path = ${schema}`)
      return (await client.query<Readonly<Record<string, unknown>>>(text)).rows
    })

  it('covers every table and column of a store', async () => {
    await migrate({ url: databaseUrl(), schema }, postgresMigrations)
    const there = await query(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = '${schema}' AND table_type = 'BASE TABLE'`,
    )
    const named = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    // Columns that the database generates, or that only PostgreSQL has.
    const own = [
      'search.vector',
      'commits.number',
      'commit_keys.number',
      'commit_keys.keys',
      'schema_version.version',
    ]
    expect(there.map(({ name }) => String(name)).toSorted()).toEqual([...named, ...own].toSorted())
  })

  it('continues where it stopped, and writes rows and progress together', async () => {
    const first = await open()
    expect(first.location).toBeNull()
    const reached = { step: 'ephemera', after: '["a"]' }
    await first.take({ table: ephemera, rows: [['a', '1', 5]], location: reached })
    const twice: Row[] = [
      ['b', '2', 5],
      ['a', '1', 5],
    ]
    await expect(
      first.take({ table: ephemera, rows: twice, location: { step: 'ephemera', after: '["z"]' } }),
    ).rejects.toThrow(/duplicate key/)
    await first.close()
    const second = await open()
    expect(second).toMatchObject({ location: reached, finished: null })
    expect(await rowsOf(second, ephemera)).toEqual([['a', '1', 5]])
    await second.reach({ step: 'blobs', after: null })
    await second.close()
    const third = await open()
    expect(third.location).toEqual({ step: 'blobs', after: null })
    await third.close()
  })

  it('cannot be opened by a store before it ends, and continues its sequences afterwards', async () => {
    const copy = await open()
    await expect(openPostgresCopied({ url: databaseUrl(), schema })).rejects.toMatchObject({
      reason: 'taken',
    })
    const rows = [1, 7].map((id): Row => [id, `REPO_${id}`, null])
    await copy.take({ table: branches, rows, location: { step: 'branches', after: '[7]' } })
    await copy.close()
    await expect(openStore()).rejects.toMatchObject({
      reason: 'unfinished',
      message: expect.stringContaining('call quire migrate-store again'),
    })
    await expect(openPostgresCopied({ url: databaseUrl(), schema })).rejects.toMatchObject({
      reason: 'unfinished',
    })
    const again = await open()
    for (const step of await again.lastSteps()) await step.run()
    await again.finish()
    await again.close()
    await (await openStore()).close()
    expect(await query("INSERT INTO branches (repository_id) VALUES ('REPO_x') RETURNING id")).toEqual([
      { id: 8 },
    ])
    expect(
      await query(
        "INSERT INTO heads (branch, kind, id, type, name, version, revision, status, published, archived, limited, created_date, updated_date, created_by, updated_by, created_person, updated_person, roles) VALUES (1, '', '', '', '', 1, 1, '', 0, 0, 0, 0, 0, '', '', '', '', '') RETURNING head",
      ),
    ).toEqual([{ head: '1' }])
    const whole = await open()
    expect(whole.finished).toBeGreaterThan(0)
    await whole.close()
    const copied = await openPostgresCopied({ url: databaseUrl(), schema })
    expect(await rowsOf(copied, branches)).toHaveLength(3)
    await copied.close()
  })

  it('creates all indexes of a store at its end, even if it was interrupted', async () => {
    const other = testSchema()
    const indexes = (of: string) =>
      query(
        `SELECT replace(indexdef, '${of}.', '') AS index FROM pg_indexes WHERE schemaname = '${of}' ORDER BY 1`,
      )
    await migrate({ url: databaseUrl(), schema: other }, postgresMigrations)
    const wanted = await indexes(other)
    await dropSchema(other)
    const first = await open()
    expect((await indexes(schema)).length).toBeLessThan(wanted.length)
    const [step] = await first.lastSteps()
    await step?.run()
    await first.close()
    const second = await open()
    const steps = await second.lastSteps()
    expect(steps.map(({ name }) => name)).not.toContain(step?.name)
    for (const one of steps) await one.run()
    await second.finish()
    await second.close()
    expect(await indexes(schema)).toEqual(wanted)
  })

  it('replaces a NUL as the store does, and reports which rows have one', async () => {
    const copy = await open()
    const [plain, odd]: Row[] = [
      ['😀\n"\\{},\u0001', '', 2 ** 53 - 1],
      ['a\0b', '\0', 1],
    ]
    if (!plain || !odd) throw new Error('Two rows.')
    expect(copy.stored(plain)).toBe(plain)
    expect(copy.stored(odd)).toEqual(['a\uFFFDb', '\uFFFD', 1])
    await copy.take({
      table: ephemera,
      rows: [plain, odd],
      location: { step: 'ephemera', after: '["a\\u0000b"]' },
    })
    expect(await rowsOf(copy, ephemera)).toEqual([plain, copy.stored(odd)])
    await copy.close()
  })

  it('does not change a schema that holds something else', async () => {
    await query(`CREATE SCHEMA ${schema} CREATE TABLE theirs (a integer)`)
    await expect(open()).rejects.toMatchObject({
      reason: 'taken',
      message: expect.stringContaining('already'),
    })
    expect(
      await query(`SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`),
    ).toEqual([{ relname: 'theirs' }])
  })

  it('does not change a schema that holds a store', async () => {
    await (await openStore()).close()
    await expect(open()).rejects.toMatchObject({ reason: 'taken' })
    await (await openStore()).close()
  })

  it('continues only with the same source', async () => {
    await (await open('one')).close()
    await expect(open('two')).rejects.toMatchObject({
      reason: 'taken',
      message: expect.stringContaining('unfinished copy of another source'),
    })
    await (await open('one')).close()
  })

  it('can be run by one process at a time only', async () => {
    const first = await open()
    await expect(open()).rejects.toMatchObject({
      reason: 'taken',
      message: expect.stringContaining('Another'),
    })
    await first.close()
    await (await open()).close()
  })

  it('reports a wrong address and a lost connection', async () => {
    await expect(
      openPostgresCopy({ url: 'postgresql://x:secret@127.0.0.1:1/x', source: 'one' }),
    ).rejects.toMatchObject({ reason: 'unreachable', message: expect.not.stringContaining('secret') })
    const copy = await open()
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quire ${schema}'`,
    )
    await expect(
      copy.take({ table: branches, rows: [[1, 'r', null]], location: { step: 'branches', after: '[1]' } }),
    ).rejects.toMatchObject({ name: 'StoreUnavailable', kind: 'busy' })
    await copy.close().catch(() => undefined)
    const again = await open()
    expect(again.location).toBeNull()
    await again.close()
  })
})

async function rowsOf(
  copy: Awaited<ReturnType<typeof openPostgresCopy>>,
  table: typeof branches,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const some of copy.rows(table)) rows.push(...some)
  return rows
}
