import type { Database } from 'better-sqlite3'

/** A step of a plan whose cost grows with the database. */
export interface Finding {
  readonly step: string
  /**
   * `scan`: reads every row of a table; `unbound`: walks an index without a starting point; `sort`:
   * collects and sorts all matches.
   */
  readonly what: 'scan' | 'unbound' | 'sort'
}

/** The steps that look up heads or driving values, but use less of an index than they could. */
export function looseSteps(database: Database, text: string, wanted: string): readonly string[] {
  const searches = planOf(database, text).filter(({ detail }) => /^SEARCH [hv] /.test(detail))
  return searches.filter(({ detail }) => !detail.includes(wanted)).map(({ detail }) => detail)
}

/** The steps that read a table, for any purpose. */
export function readsOf(database: Database, text: string, table: string): readonly string[] {
  const details = planOf(database, text).map(({ detail }) => detail)
  return details.filter((detail) =>
    [`SCAN ${table}`, `SEARCH ${table}`].some((read) => `${detail} `.startsWith(`${read} `)),
  )
}

interface Step {
  readonly parent: number
  readonly detail: string
}

function planOf(database: Database, text: string): readonly Step[] {
  const parameters = text.match(/\?/g)?.map(() => null) ?? []
  return database.prepare<null[], Step>(`EXPLAIN QUERY PLAN ${text}`).all(...parameters)
}

/** The steps of a statement's plan whose cost grows with the database, whatever its parameters. */
export function findingsOf(database: Database, text: string): readonly Finding[] {
  const steps = planOf(database, text)
  return steps.flatMap((step) => {
    const what = judge(step, steps)
    return what === null ? [] : [{ step: step.detail, what }]
  })
}

/**
 * Small by design: rows chosen by an earlier step (`p`: the page; `m`, `marks`: counts of facets),
 * values of a list, and tables with a handful of rows.
 */
const small = /^(?:SCAN|SEARCH) (?:p|c|g|m|q|marks|j|json_each|branches|CONSTANT ROW|\(subquery-\d+\))\b/

function judge(step: Step, steps: readonly Step[]): Finding['what'] | null {
  const { detail } = step
  if (small.test(detail)) return null
  if (detail.startsWith('SCAN')) return isMatch(detail) || isMadeBefore(step, steps) ? null : 'scan'
  if (detail.startsWith('SEARCH')) return isBound(detail) ? null : 'unbound'
  const isSort = detail.includes('TEMP B-TREE') && !detail.includes('LAST')
  return isSort && !isOfFew(step, steps) ? 'sort' : null
}

/** Sorts the types of a repository, which a facet has already counted. */
function isOfFew({ parent }: Step, steps: readonly Step[]): boolean {
  return steps.some((other) => other.parent === parent && other.detail === 'SCAN marks')
}

/** Scans the rows of a sibling step, which is judged by itself. */
function isMadeBefore({ parent, detail }: Step, steps: readonly Step[]): boolean {
  const name = detail.split(' ')[1] ?? ''
  const made = [`CO-ROUTINE ${name}`, `MATERIALIZE ${name}`]
  return steps.some((other) => other.parent === parent && made.includes(other.detail))
}

/** A look-up in the search index: `M` by words, `=` by one row. */
function isMatch(step: string): boolean {
  return /^SCAN search VIRTUAL TABLE INDEX \d+:.*[M=]/.test(step)
}

/**
 * Starts from an equal first column, or from a range of the row number; reads of the latter all
 * have a limit.
 */
function isBound(step: string): boolean {
  if (step.includes('AUTOMATIC')) return false
  return /\((?:\w+=\?|rowid[<>]\?)/.test(step) && !step.includes('ANY(')
}
