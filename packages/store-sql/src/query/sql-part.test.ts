import { describe, expect, it } from 'vitest'
import { compileQuery } from '../compiled-query.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { queryColumns } from './columns.ts'
import { and } from './logic.ts'
import { join, piece, toQuery, toValues, value } from './sql-part.ts'

const { heads, from } = queryColumns(sqliteDialect)
const named = (name: string, id: string) =>
  piece`SELECT ${heads.head} FROM ${from.heads} WHERE ${and([piece`${heads.name} = ${value(name)}`, piece`${heads.id} > ${value(id)}`])}`

describe('a piece', () => {
  it('has the same key for other values, and a different key for another shape', () => {
    expect(named('a', 'b').key).toBe(named('c', 'd').key)
    expect(named('a', 'b').key).not.toBe(piece`${named('a', 'b')} LIMIT ${value(1)}`.key)
    expect(piece`${heads.name} IS NULL`.key).not.toBe(piece`${heads.slug} IS NULL`.key)
  })

  it('binds the values of one query to the statement of another of its shape', () => {
    const first = named('a', 'b')
    const { text, bind } = compileQuery(sqliteDialect, toQuery(first))
    expect(text).toBe('SELECT "h"."head" FROM "heads" "h" WHERE ("h"."name" = +? AND "h"."id" > +?)')
    expect(bind(toValues(first))).toEqual(['a', 'b'])
    expect(bind(toValues(named('c', 'd')))).toEqual(['c', 'd'])
  })

  it('keeps values in the order of the text, however the parts are combined', () => {
    const list = join([value(1), piece`(${value(2)}, ${join([value(3), value(4)], ' + ')})`, value(5)], ', ')
    const { text, bind } = compileQuery(sqliteDialect, toQuery(piece`VALUES ${list}, ${value(6)}`))
    expect(text).toBe('VALUES +?, (+?, +? + +?), +?, +?')
    expect(bind(toValues(piece`VALUES ${list}, ${value(6)}`))).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('a long condition', () => {
  it('is nested in halves, because databases limit the depth of an expression', () => {
    const { key } = and(Array.from({ length: 1000 }, (_, index) => value(index)))
    expect(key.split(' AND ')).toHaveLength(1000)
    const [opening = ''] = key.match(/^\(+/) ?? []
    expect(opening.length).toBeGreaterThan(3)
    expect(opening.length).toBeLessThan(12)
  })
})
