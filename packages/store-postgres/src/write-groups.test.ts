import type { RowWrite, SqlValue, SqlValues } from '@quire/store-sql'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { WriteStatement } from './waiting-write.ts'
import { groupWrites } from './write-groups.ts'

let statements = 0

function aWrite(table: string, rows: Partial<RowWrite> = {}): WriteStatement {
  statements += 1
  return {
    number: statements,
    rows: { table, columns: {}, key: ['head'], looksUp: false, repeats: true, build: () => sql``, ...rows },
  }
}

const insertValue = aWrite('field_values')
const deleteValues = aWrite('field_values')
const putJson = aWrite('head_json', { repeats: false })
const append = aWrite('journal', { key: [] })

/** The groups of each step, as the names of the statements and the heads of their runs. */
function grouped(...writes: readonly (readonly [WriteStatement, SqlValue])[]) {
  const names = new Map([
    [insertValue, 'insert'],
    [deleteValues, 'delete'],
    [putJson, 'json'],
    [append, 'append'],
  ])
  const given = writes.map(([statement, head]) => ({
    statement,
    tables: new Set([statement.rows.table]),
    values: { head } satisfies SqlValues,
  }))
  return groupWrites(given).map((step) =>
    step.map(({ statement, runs }) => `${names.get(statement)} ${runs.map(({ head }) => head).join(' ')}`),
  )
}

describe('groups of writes', () => {
  it('have the runs of a statement in their order', () => {
    expect(grouped([append, 3], [append, 1], [append, 2])).toEqual([['append 3 1 2']])
  })

  it('of different rows are in the same step', () => {
    expect(grouped([putJson, 1], [insertValue, 1], [putJson, 2], [deleteValues, 2])).toEqual([
      ['json 1 2', 'insert 1', 'delete 2'],
    ])
  })

  it('keep the order of writes of the same rows', () => {
    const save = (head: number) =>
      [
        [deleteValues, head],
        [insertValue, head],
        [insertValue, head],
      ] as const
    expect(grouped(...save(1), ...save(2))).toEqual([['delete 1 2'], ['insert 1 1 2 2']])
    expect(grouped(...save(1), ...save(1))).toEqual([
      ['delete 1'],
      ['insert 1 1'],
      ['delete 1'],
      ['insert 1 1'],
    ])
  })

  it('write a row once if they must not write it twice', () => {
    expect(grouped([putJson, 1], [putJson, 2], [putJson, 1])).toEqual([['json 1 2'], ['json 1']])
  })

  it('identify rows by what the database stores', () => {
    expect(grouped([putJson, 'a\0'], [putJson, 'a\uFFFD'])).toEqual([['json a\0'], ['json a\uFFFD']])
  })
})
