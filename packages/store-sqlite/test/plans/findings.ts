import type { Database } from 'better-sqlite3'

/** What a plan does that costs more the more a database holds. */
export interface Finding {
  readonly step: string
  /** `scan`: every row of a table; `unbound`: an index from no place on; `sort`: all that matches is kept and sorted. */
  readonly what: 'scan' | 'unbound' | 'sort'
}

/** The steps that look for heads or for the values that stand for them, and use less of an index than they could. */
export function looseSteps(database: Database, text: string, wanted: string): readonly string[] {
  const searches = planOf(database, text).filter(({ detail }) => /^SEARCH [hv] /.test(detail))
  return searches.filter(({ detail }) => !detail.includes(wanted)).map(({ detail }) => detail)
}

/** The steps that read a table, whatever for. */
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

/** The steps of a statement's plan that grow with the database, whatever is asked for. */
export function findingsOf(database: Database, text: string): readonly Finding[] {
  const steps = planOf(database, text)
  return steps.flatMap((step) => {
    const what = judge(step, steps)
    return what === null ? [] : [{ step: step.detail, what }]
  })
}

/** What was chosen before (`p`: the page; `m`, `marks`: what facets count), values of a list, and what holds a handful. */
const small = /^(?:SCAN|SEARCH) (?:p|c|g|m|q|marks|j|json_each|branches|CONSTANT ROW|\(subquery-\d+\))\b/

function judge(step: Step, steps: readonly Step[]): Finding['what'] | null {
  const { detail } = step
  if (small.test(detail)) return null
  if (detail.startsWith('SCAN')) return isMatch(detail) || isMadeBefore(step, steps) ? null : 'scan'
  if (detail.startsWith('SEARCH')) return isBound(detail) ? null : 'unbound'
  const isSort = detail.includes('TEMP B-TREE') && !detail.includes('LAST')
  return isSort && !isOfFew(step, steps) ? 'sort' : null
}

/** The types of a repository, which facets have counted before. */
function isOfFew({ parent }: Step, steps: readonly Step[]): boolean {
  return steps.some((other) => other.parent === parent && other.detail === 'SCAN marks')
}

/** Rows of a step beside this one, which is judged by itself. */
function isMadeBefore({ parent, detail }: Step, steps: readonly Step[]): boolean {
  const name = detail.split(' ')[1] ?? ''
  const made = [`CO-ROUTINE ${name}`, `MATERIALIZE ${name}`]
  return steps.some((other) => other.parent === parent && made.includes(other.detail))
}

/** The words' own rows: `M` asks for words, `=` for one row. Below the last of both nothing else is walked. */
function isMatch(step: string): boolean {
  return /^SCAN search VIRTUAL TABLE INDEX \d+:.*[M=]/.test(step)
}

/** From an equal first column on, or a range of the row number, whose reads all have a limit. */
function isBound(step: string): boolean {
  if (step.includes('AUTOMATIC')) return false
  return /\((?:\w+=\?|rowid[<>]\?)/.test(step) && !step.includes('ANY(')
}
