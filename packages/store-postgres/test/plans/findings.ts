import type { GroupedParameter } from '@quire/store-sql'
import type { Client } from 'pg'
import type { Recorded } from './recorded-store.ts'

/** A step of a plan in the format of `EXPLAIN (FORMAT JSON)`. */
interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'One-Time Filter'?: string
  readonly Plans?: readonly Step[]
}

/** A step of a plan whose cost grows with the database. */
export interface Finding {
  /**
   * `scan`: reads every row of a table; `unbound`: walks an index without a starting point; `sort`:
   * collects and sorts all matches.
   */
  readonly what: 'scan' | 'unbound' | 'sort'
  readonly step: string
}

/** A read of an index, and its condition. */
export interface Read {
  readonly table: string
  readonly index: string
  readonly condition: string
}

/** All steps of a statement's plan: for its values if it has some, else for any values. */
export async function stepsOf(client: Client, { text, values }: Recorded): Promise<readonly Step[]> {
  await client.query(`SET plan_cache_mode = ${values === null ? 'force_generic_plan' : 'force_custom_plan'}`)
  await client.query(`PREPARE asked AS ${text}`)
  try {
    const given = (values ?? placeholdersOf(text)).map((one) => literal(client, one)).join(', ')
    const asked = given === '' ? 'asked' : `asked (${given})`
    const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
      `EXPLAIN (FORMAT JSON) EXECUTE ${asked}`,
    )
    const plans: readonly { readonly Plan: Step }[] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]')
    return plans.flatMap(({ Plan }) => flat(Plan))
  } finally {
    await client.query('DEALLOCATE asked')
  }
}

function placeholdersOf(text: string): null[] {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  return Array.from({ length: Math.max(0, ...numbers) }, () => null)
}

function literal(client: Client, value: GroupedParameter): string {
  return value === null ? 'NULL' : client.escapeLiteral(String(value))
}

/** A step and all below it, without those that never run. */
function flat(step: Step): Step[] {
  if (step['One-Time Filter'] === 'false') return []
  return [step, ...(step.Plans ?? []).flatMap(flat)]
}

/** The reads of a plan that an index bounds, for all tables or one. */
export function readsOf(steps: readonly Step[], table?: string): readonly Read[] {
  const bitmaps = new Map(
    steps.flatMap((step) => (step.Plans ?? []).map((under) => [under, step['Relation Name'] ?? ''])),
  )
  return steps.flatMap((step) => {
    const of = step['Relation Name'] ?? bitmaps.get(step) ?? ''
    const { 'Index Name': index, 'Index Cond': condition = '' } = step
    return index === undefined || (table !== undefined && of !== table)
      ? []
      : [{ table: of, index, condition }]
  })
}

/** The first columns of indexes, by name. */
export async function firstColumns(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ readonly index: string; readonly first: string }>(
    `SELECT c.relname AS index, a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = 1
      WHERE c.relnamespace = current_schema()::regnamespace`,
  )
  return new Map(rows.map(({ index, first }) => [index, first]))
}

/** The steps of a plan whose cost grows with the database, whatever its parameters. */
export function findingsOf(steps: readonly Step[], firsts: ReadonlyMap<string, string>): readonly Finding[] {
  return steps.flatMap((step) => {
    const what = judge(step, firsts)
    return what === null ? [] : [{ what, step: lines(step) }]
  })
}

/** Tables with a handful of rows. */
const small = new Set(['branches', 'commits'])

function judge(step: Step, firsts: ReadonlyMap<string, string>): Finding['what'] | null {
  const {
    'Node Type': type,
    'Relation Name': table = '',
    'Index Name': index,
    'Index Cond': condition,
  } = step
  if (small.has(table)) return null
  if (type === 'Seq Scan') return 'scan'
  if (index !== undefined) return isBound(firsts.get(index) ?? '', condition) ? null : 'unbound'
  return type === 'Sort' && !isOfFew(step) ? 'sort' : null
}

/**
 * Whether the condition starts at a position of the index's first column. The row with the least or
 * greatest value is looked up with `IS NOT NULL`.
 */
function isBound(first: string, condition = ''): boolean {
  return (
    new RegExp(`[(\\s,]"?${first}"? (?:=|<|>|<=|>=|@@|IS NOT NULL)`).test(condition) ||
    condition.includes('(ROW(')
  )
}

/** Whether few rows are sorted: those left after a limit, or the result of grouping. */
function isOfFew(step: Step): boolean {
  return flat(step).some(({ 'Node Type': type }) => /Limit|Aggregate|Group|Function Scan|CTE Scan/.test(type))
}

function lines({ 'Node Type': type, 'Relation Name': table, 'Index Name': index, ...step }: Step): string {
  return [type, table, index, step['Index Cond']].filter((part) => part !== undefined).join(' ')
}
