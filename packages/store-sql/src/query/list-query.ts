import type { EntityQuery } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { SqlValue } from '../driver.ts'
import { type DrivenQuery, type Plan, planOf } from './drive.ts'
import type { QueryLanguage } from './filter.ts'
import { and } from './logic.ts'
import { type SqlPart, fixed, join, piece, value } from './sql-part.ts'
import { type Arm, armSource } from './source.ts'
import { afterPiece, cursorColumns, isBefore, keyName, keyPieces, notBefore, orderPiece } from './sort.ts'

/** What a page reads of the heads that were chosen. */
export interface PageColumns {
  readonly columns: SqlPart
  /** Joins to the chosen heads, alias `p`. */
  readonly joined: SqlPart
}

/** Decides how a query is walked, once for page and count. Null when nothing can match. */
export function planList(query: DrivenQuery): Plan | null {
  const plan = planOf(query)
  return plan.types?.length === 0 ? null : plan
}

/**
 * Selects one page. Heads are chosen and sorted by narrow rows first; only those of the page are
 * read whole. One row above the limit shows whether there is another page.
 */
export function pageQuery(
  language: QueryLanguage,
  page: PageColumns,
  { query, plan, arms, before, isCounted = false, isSteady = false }: ListParts,
): SqlPart {
  const id = fixed('p.id', sql`p.id`)
  const chosen = join(
    arms.map((arm) => armQuery(language, { query, plan, arm, before })),
    ' UNION ALL ',
  )
  const offset = query.offset ? piece` OFFSET ${value(query.offset)}` : piece``
  const order = orderPiece(query, fixed('id', sql`id`))
  const most = query.limit + 1
  // Without knowing how few rows are wanted, a plan for any values would sort them.
  const limit = isSteady ? fixed(`${most}`, sql.raw(`${most}`)) : value(most)
  const keys = query.sort.map((_, index) => piece`, p.${keyName(index)}`)
  const count = isCounted ? piece`, ${countPiece(language, { query, plan, arms })}` : piece``
  return piece`SELECT ${page.columns}${join(keys, '')}${count} FROM (${chosen} ORDER BY ${order} LIMIT ${limit}${offset}) p ${page.joined} ORDER BY ${orderPiece(query, id)}`
}

/** Counts all matches. */
export function countQuery(language: QueryLanguage, parts: ListParts): SqlPart {
  return piece`SELECT ${countPiece(language, parts)}`
}

function countPiece(language: QueryLanguage, { query, plan, arms }: ListParts): SqlPart {
  const counts = arms.map((arm) => {
    const { source, where } = armSource(language, query, { plan, arm })
    return piece`(SELECT count(*) FROM ${source.from} WHERE ${where})`
  })
  return join(counts, ' + ')
}

/** A list query over its branches. */
export interface ListParts {
  readonly query: EntityQuery
  readonly plan: Plan
  readonly arms: readonly Arm[]
  /** Only rows before this value of the first sort key. */
  readonly before?: SqlValue | undefined
  /** Whether the plan may be used for other values, too. Default: no. */
  readonly isSteady?: boolean
  /** Whether the last column of each row is the number of all matches. Default: no. */
  readonly isCounted?: boolean
}

/**
 * Selects the value of the first sort key that is `rows` rows behind the start of the page,
 * ignoring the filter. Null when there are fewer rows. The plan must walk an index in the order of
 * that key.
 */
export function horizonQuery(
  language: QueryLanguage,
  { query, plan, arms }: ListParts,
  rows: number,
): SqlPart {
  const [first] = query.sort
  const horizons = arms.map((arm) => {
    const { source } = armSource(language, query, { plan, arm })
    const [key] = keyPieces(language, source, query.sort)
    if (!key) throw new TypeError('A plan that walks in order needs a sort key.')
    const at = query.after ? cursorColumns(query.sort, query.after).values[0] : undefined
    const from = at === undefined || at === null ? [] : [notBefore(key, at)]
    const direction = key.descending ? piece` DESC` : piece``
    return piece`SELECT * FROM (SELECT ${key.expression} AS k FROM ${source.from} WHERE ${and([source.bound, ...from])} ORDER BY k${direction} LIMIT 1 OFFSET ${value(rows)}) q`
  })
  const all = join(horizons, ' UNION ALL ')
  return first?.descending ? piece`SELECT max(k) FROM (${all}) q` : piece`SELECT min(k) FROM (${all}) q`
}

function armQuery(
  language: QueryLanguage,
  { query, plan, arm, before }: { query: EntityQuery; plan: Plan; arm: Arm; before: SqlValue | undefined },
): SqlPart {
  const { source, where } = armSource(language, query, { plan, arm })
  const keys = keyPieces(language, source, query.sort)
  const id = source.members.id
  if (!id) throw new TypeError('The source has no id.')
  const selected = keys.map(({ expression }, index) => piece`, ${expression} AS ${keyName(index)}`)
  const after = query.after ? [afterPiece(keys, id, cursorColumns(query.sort, query.after))] : []
  const [first] = keys
  const near = first && before !== undefined ? [isBefore(first, before)] : []
  return piece`SELECT ${source.head} AS head${join(selected, '')}, ${id} AS id FROM ${source.from} WHERE ${and([where, ...after, ...near])}`
}
