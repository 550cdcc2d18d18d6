import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import {
  type CopiedTable,
  type Row,
  type SqlValue,
  copiedTables,
  triggeredTables,
  wordsTable,
} from '@quire/store-sql'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from './open-store.ts'
import { openSqliteRows, walkOf } from './rows.ts'

const known = [...copiedTables, ...triggeredTables]
const tables = [...known, wordsTable]

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-rows-'))
  file = join(folder, 'quire.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the rows of a database', () => {
  it('cover every table and column', async () => {
    await (await openSqliteStore({ file })).close()
    const database = new Database(file)
    const columns = database.prepare<[], readonly [string, string]>(
      "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'search\\_%' ESCAPE '\\' OR t.name IN ('search_rows', 'search_documents')",
    )
    const there = columns.raw().all().map(nameOf)
    database.close()
    // The words are identified by the rowid, which is not a declared column.
    const named = tables.flatMap(({ name, columns: of }) => of.map((column) => nameOf([name, column.name])))
    expect(named.filter((name) => name !== 'search.rowid').toSorted()).toEqual(there.toSorted())
  })

  it('are read along an index, from the start and after any key', async () => {
    await (await openSqliteStore({ file })).close()
    const database = new Database(file)
    const plans = known.flatMap((table) =>
      [
        walkOf(table),
        walkOf(
          table,
          table.key.map(() => 0),
        ),
      ].map((text) => {
        const plan = database.prepare<SqlValue[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        const parameters = Array.from({ length: text.split('?').length - 1 }, () => 0)
        return { text, plan: plan.all(...parameters).map(({ detail }) => detail) }
      }),
    )
    database.close()
    const isWalked = ({ text, plan }: (typeof plans)[number]) =>
      plan.length === 1 && (text.includes('WHERE') ? /^SEARCH/ : /^SCAN/).test(plan[0] ?? '')
    expect(plans.filter((plan) => !isWalked(plan))).toEqual([])
  })

  it('continue after any row with the rest, each once', async () => {
    await fill()
    const rows = openSqliteRows(file)
    for (const table of tables) {
      const all = [...rows.rows(table)]
      expect([table.name, all.length]).toEqual([table.name, rows.count(table)])
      for (const [index, row] of all.entries())
        expect([...rows.rows(table, keyOf(table, row))]).toEqual(all.slice(index + 1))
    }
    expect(rows.count(wordsTable)).toBeGreaterThan(2)
    rows.close()
  })

  it('are not readable while a server has the file open', async () => {
    const store = await openSqliteStore({ file })
    expect(() => openSqliteRows(file)).toThrow(/stop it first/)
    await store.close()
    const rows = openSqliteRows(file)
    await expect(openSqliteStore({ file })).rejects.toThrow(/stop it first/)
    rows.close()
  })
})

async function fill(): Promise<void> {
  const store = await openSqliteStore({ file })
  const api = createQuire({ store }).as(systemIdentity('test'))
  await api.types.create({ name: 'article', fields: [{ name: 'text', kind: 'text', required: false }] })
  const repository = await api.repositories.create({ name: 'magazine' })
  for (const name of ['One', 'Two', 'Three']) {
    const fields = { text: `${name} lanterns` }
    const item = await api.items.create({ repositoryId: repository.id, type: 'article', name, fields })
    await api.items.update({ configId: 'magazine', id: item.id, fields: { text: 'A candle' } })
  }
  await store.close()
}

function keyOf({ columns, key }: CopiedTable, row: Row): Row {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)
}

function nameOf([table, column]: readonly [string, string]): string {
  return `${table}.${column}`
}
