import type { RowWrite, SqlValues } from '@quire/store-sql'
import { sql } from 'drizzle-orm'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { createGroupStatements } from './group-statements.ts'
import { createStatementNames } from './postgres-driver.ts'
import { type WaitingWrites, createWaitingWrites } from './waiting-writes.ts'

const rows: RowWrite = {
  table: 'rows',
  columns: { row: sqliteTable('rows', { row: integer() }).row },
  key: ['row'],
  looksUp: true,
  repeats: true,
  build: ({ value, from }) => sql`INSERT ${from ?? value('row')}`,
}

describe('waiting writes', () => {
  let sent: string[]
  let failing: string | null
  let failed: unknown
  let writes: WaitingWrites
  beforeEach(() => {
    sent = []
    failing = failed = null
    const take = async (text: string) => {
      sent.push(text)
      if (text === failing) throw new Error(text)
    }
    const connection = {
      send: ({ text, values = [] }: { readonly text: string; readonly values?: readonly unknown[] }) =>
        take([text.split(' ')[0] === 'INSERT' ? 'INSERT' : text, ...values.flat()].join(' ')),
      async execute({ text }: { readonly text: string }) {
        await take(text)
        return ''
      },
      fail: (error: unknown) => void (failed ??= error),
      forgive: () => void (failed = null),
      refuse: (error: unknown) => void (failed = error),
    }
    writes = createWaitingWrites(connection, createGroupStatements(createStatementNames()))
    writes.reset()
  })

  const statement = { number: 1, rows }
  const add = (row: number) => writes.add({ statement, tables: new Set(['rows']), values: { row } })
  const failingWork = async (work: () => Promise<void>) => {
    const ended = writes.savepoint(async () => {
      await work()
      throw new Error('mine')
    })
    await expect(ended).rejects.toThrow('mine')
  }

  it('run together before the commit, without a savepoint', async () => {
    await writes.savepoint(() => add(1))
    await writes.savepoint(() => add(2))
    expect(sent).toEqual([])
    await writes.runAll()
    await writes.runAll()
    expect(sent).toEqual(['INSERT 1 2'])
  })

  it('run before a statement that touches their table, and not before others', async () => {
    await add(1)
    await writes.runBefore(new Set(['others']))
    expect(sent).toEqual([])
    await writes.runBefore(new Set(['others', 'rows']))
    await writes.runBefore(new Set(['rows']))
    expect(sent).toEqual(['INSERT 1'])
  })

  it('are dropped with the savepoint that failed, which began only if they ran', async () => {
    await writes.savepoint(() => add(1))
    await failingWork(() => add(2))
    await failingWork(async () => {
      await add(3)
      await writes.runAll()
      await add(4)
    })
    await writes.savepoint(() => add(5))
    await writes.runAll()
    expect(sent).toEqual([
      'INSERT 1',
      'SAVEPOINT work0',
      'INSERT 3',
      'ROLLBACK TO work0; RELEASE work0',
      'INSERT 5',
    ])
  })

  it('of an outer savepoint are kept when an inner one fails', async () => {
    await writes.savepoint(async () => {
      await add(1)
      await failingWork(() => add(2))
      await failingWork(async () => {
        await add(3)
        await writes.runAll()
      })
      await add(4)
    })
    await writes.runAll()
    expect(sent).toEqual([
      'SAVEPOINT work0',
      'INSERT 1',
      'SAVEPOINT work1',
      'INSERT 3',
      'ROLLBACK TO work1; RELEASE work1',
      'RELEASE work0',
      'INSERT 4',
    ])
  })

  it('run before the savepoints of a statement that writes at once', async () => {
    await add(1)
    await writes.savepoint(async () => {
      await writes.beginSavepoints()
      await add(2)
      await writes.beginSavepoints()
    })
    expect(sent).toEqual(['INSERT 1', 'SAVEPOINT work0', 'RELEASE work0'])
  })

  it('affect reads of the same keys, and of keys that they do not name', async () => {
    const affect = (values: SqlValues) => writes.affect({ tables: ['rows'], by: ['row', 'slug'] }, values)
    await writes.add({ statement, tables: new Set(['rows']), values: { row: 1, slug: 'a' } })
    expect(affect({ row: 2, slug: null })).toBe(false)
    expect(affect({ row: 1, slug: null })).toBe(true)
    expect(affect({ row: 2, slug: 'a' })).toBe(true)
    expect(writes.affect({ tables: ['others'], by: ['row'] }, { row: 1 })).toBe(false)
    await add(3)
    expect(affect({ row: 2, slug: 'b' })).toBe(true)
  })

  it('run when there are too many, or when they are too long', async () => {
    for (let row = 1; row <= 3_000; row += 1) await add(row)
    expect(sent).toHaveLength(1)
    await writes.add({ statement, tables: new Set(['rows']), values: { row: 'x'.repeat(5_000_000) } })
    expect(sent).toHaveLength(2)
  })

  it('that fail make the whole transaction fail, unless only their savepoint did', async () => {
    failing = 'INSERT 1'
    await writes.savepoint(() => add(1))
    await expect(writes.savepoint(() => writes.runAll())).rejects.toThrow(failing)
    expect(failed).toEqual(new Error(failing))

    failed = null
    await expect(
      writes.savepoint(async () => {
        await add(1)
        await writes.runAll()
      }),
    ).rejects.toThrow(failing)
    expect(sent.slice(-3)).toEqual(['SAVEPOINT work0', 'INSERT 1', 'ROLLBACK TO work0; RELEASE work0'])
    expect(failed).toBeNull()
  })
})
