import type { Filter, TextQuery } from '@quire/core/ports'
import type { Lists } from '../entities/read-statements.ts'
import { piece, value } from '../query/sql-part.ts'
import type { Arm } from '../query/source.ts'
import { anyNumberOf } from '../query/value-condition.ts'
import type { Session } from '../session.ts'

/**
 * From this number of documents on, reads that may collect all rows of a word run where they do not
 * delay other reads. With this many, that takes some 20 ms. At half, small sites start a thread for
 * reads that are done in the time that the start takes.
 */
const MANY = 10_000

/** The same, for reads that compare each document with hundreds of values. */
const MANY_TO_COMPARE = 100

/** From this number of values on, `MANY_TO_COMPARE` applies. */
const MANY_VALUES = 50

interface ReadParts {
  readonly arms: readonly Arm[]
  readonly filter?: Filter | undefined
  readonly text?: TextQuery | undefined
}

/**
 * Whether words must be next to each other. Their positions are compared, so that one long document
 * can take as long as ten thousand short ones.
 */
function hasRow({ terms }: TextQuery): boolean {
  return terms.some(({ words }) => words.length > 1)
}

/**
 * Whether the branches of a read have many documents, measured by what the read does for each.
 * Computed once between two commits.
 */
export async function holdsMany(
  { numbers, language }: Lists,
  { counts }: Session,
  { arms, filter, text }: ReadParts,
): Promise<boolean> {
  if (text && hasRow(text)) return true
  const many = filter && valuesIn(filter) > MANY_VALUES ? MANY_TO_COMPARE : MANY
  const { from, rows } = language.columns
  const among = anyNumberOf(
    language.dialect,
    rows.branch,
    arms.map(({ branch }) => branch),
  )
  const some = piece`SELECT count(*) FROM (SELECT 1 FROM ${from.rows} WHERE ${among} LIMIT ${value(many)}) q`
  const count = async () => {
    const [row] = await numbers.all(some)
    return row?.[0] ?? 0
  }
  return (counts ? await counts.get(some, count) : await count()) === many
}

function valuesIn(filter: Filter): number {
  if ('not' in filter) return valuesIn(filter.not)
  if ('all' in filter || 'any' in filter) {
    const parts = 'all' in filter ? filter.all : filter.any
    return parts.reduce((sum, part) => sum + valuesIn(part), 0)
  }
  return Array.isArray(filter.value) ? filter.value.length : 1
}
