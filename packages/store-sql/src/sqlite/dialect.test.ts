import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../compiled-query.ts'
import { sqliteDialect } from './dialect.ts'

describe('a compiled query', () => {
  it('writes parameters after a plus, so that no plan depends on their values', () => {
    const { text } = compileQuery(sqliteDialect, sql`SELECT ${1} WHERE ${sql.placeholder('a')} = 2`)
    expect(text).toBe('SELECT +? WHERE +? = 2')
  })

  it('binds constants and placeholders in order', () => {
    const query = sql`SELECT ${sql.placeholder('a')}, ${'b'}, ${sql.placeholder('c')}`
    const { bind } = compileQuery(sqliteDialect, query)
    expect(bind({ c: null, a: 1 })).toEqual([1, 'b', null])
    expect(() => bind({ a: 1 })).toThrow('The placeholder c has no value.')
  })

  it('rejects values that SQLite does not have', () => {
    expect(() => compileQuery(sqliteDialect, sql`SELECT ${true}`)).toThrow('encode it first')
  })
})
