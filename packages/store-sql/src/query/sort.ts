import type { EntityQuery, PageCursor, QueryField, QueryValue, SortKey } from '@quire/core/ports'
import type { SqlValue } from '../driver.ts'
import { sql } from 'drizzle-orm'
import { decodeValue, encodeValue } from './encode-value.ts'
import { type QueryLanguage, type Source, memberPiece } from './filter.ts'
import { and, or } from './logic.ts'
import { fromColumn, isNullable, scopeInColumn } from './member-condition.ts'
import { type SqlPart, fixed, join, piece, value } from './sql-part.ts'

export interface KeySql {
  readonly expression: SqlPart
  readonly descending: boolean
  readonly nullable: boolean
}

/** The column of the driving value, used for a sort by the same path. */
export interface DrivenPath {
  readonly path: string
  readonly expression: SqlPart
}

/** The sort keys as expressions of the source. */
export function keyPieces(
  language: QueryLanguage,
  source: Source & { driven?: DrivenPath },
  sort: readonly SortKey[],
): readonly KeySql[] {
  return sort.map(({ field, descending }) => ({
    expression: keyExpression(language, source, field),
    descending,
    nullable: 'member' in field && isNullable(field.member),
  }))
}

function keyExpression(
  language: QueryLanguage,
  source: Source & { driven?: DrivenPath },
  field: QueryField,
): SqlPart {
  if ('member' in field) return memberPiece(source, field.member)
  if (source.driven?.path === field.path) return source.driven.expression
  const { from, values } = language.columns
  return piece`coalesce((SELECT ${values.value} FROM ${from.values} WHERE ${values.head} = ${source.head} AND ${values.path} = ${value(field.path)} LIMIT 1), '')`
}

/** The name under which a key is selected: `k0`, `k1`… */
export function keyName(index: number): SqlPart {
  const name = `k${index}`
  return fixed(name, sql.raw(name))
}

/** The order of a page, by the names of its keys. Absent values come first in ascending order. */
export function orderPiece(query: EntityQuery, id: SqlPart): SqlPart {
  const keys = query.sort.map(({ field, descending }, index) => {
    const nulls = 'member' in field && isNullable(field.member)
    if (descending) return nulls ? piece`${keyName(index)} DESC NULLS LAST` : piece`${keyName(index)} DESC`
    return nulls ? piece`${keyName(index)} ASC NULLS FIRST` : keyName(index)
  })
  return join([...keys, id], ', ')
}

/** Rows before a value of the key. For keys that are never NULL. */
export function isBefore({ expression, descending }: KeySql, at: SqlValue): SqlPart {
  return descending ? piece`${expression} > ${value(at)}` : piece`${expression} < ${value(at)}`
}

/** Rows with a value of the key or after it. For keys that are never NULL. */
export function notBefore({ expression, descending }: KeySql, at: SqlValue): SqlPart {
  return descending ? piece`${expression} <= ${value(at)}` : piece`${expression} >= ${value(at)}`
}

/**
 * Rows after the cursor. The bound of each key comes before the tie-break as a condition of its
 * own, so that an index scan can start there.
 */
export function afterPiece(
  keys: readonly KeySql[],
  id: SqlPart,
  cursor: { values: readonly SqlValue[]; id: string },
): SqlPart {
  return keys.reduceRight(
    (rest, key, index) => afterKey(key, cursor.values[index] ?? null, rest),
    piece`${id} > ${value(cursor.id)}`,
  )
}

function afterKey({ expression, descending, nullable }: KeySql, at: SqlValue, rest: SqlPart): SqlPart {
  if (at === null) {
    return descending
      ? and([piece`${expression} IS NULL`, rest])
      : or([piece`${expression} IS NOT NULL`, rest])
  }
  const bound = value(at)
  const beyond = descending ? piece`${expression} < ${bound}` : piece`${expression} > ${bound}`
  const notBefore = descending ? piece`${expression} <= ${bound}` : piece`${expression} >= ${bound}`
  const after = and([notBefore, or([beyond, rest])])
  return descending && nullable ? or([after, piece`${expression} IS NULL`]) : after
}

/** The values of a cursor, encoded as the columns store them. */
export function cursorColumns(
  sort: readonly SortKey[],
  cursor: PageCursor,
): { values: readonly SqlValue[]; id: string } {
  const values = sort.map(({ field }, index) => {
    const at = cursor.values[index] ?? null
    return 'path' in field ? encodeValue(at) : scopeInColumn(field.member, at)
  })
  return { values, id: cursor.id }
}

/** Decodes the values of a cursor from the selected keys. */
export function cursorValues(
  sort: readonly SortKey[],
  keys: readonly SqlValue[],
): readonly (QueryValue | null)[] {
  return sort.map(({ field }, index) => {
    const key = keys[index] ?? null
    return 'path' in field ? decodeValue(String(key ?? '')) : fromColumn(field.member, key)
  })
}
