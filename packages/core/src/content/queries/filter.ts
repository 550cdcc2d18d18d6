import { limits, type Issue, type QueryFilter } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { conditionsOf, type QueryNames } from '../items/query.ts'
import type { Condition, Filter } from '../../ports/index.ts'

/**
 * A filter as JSON, with `and`, `or` and `not`, as the store takes it. Errors: `invalid` naming each field, operator and value that
 * cannot be, by its path: what is unknown and what this caller may not read alike; and a filter that asks too much.
 */
export function queryFilterOf(names: QueryNames, filter: QueryFilter): Filter {
  const walk: Walk = { names, issues: [], filters: 0, conditions: 0, values: 0 }
  const found = allOf(walk, filter, { path: 'filter', depth: 0 })
  if (walk.conditions > limits.filterConditions)
    throw tooMuch(`has more than ${limits.filterConditions} conditions`)
  if (walk.values > limits.filterValues)
    throw tooMuch(`has more than ${limits.filterValues} values in its lists`)
  if (walk.issues.length > 0) throw invalid(walk.issues)
  return found
}

interface Walk {
  readonly names: QueryNames
  readonly issues: Issue[]
  filters: number
  conditions: number
  values: number
}

interface Scope {
  readonly path: string
  readonly depth: number
}

type Member = QueryFilter[string]

function tooMuch(message: string) {
  return invalid([{ path: 'filter', message }])
}

function allOf(walk: Walk, filter: QueryFilter, { path, depth }: Scope): Filter {
  if (depth > limits.filterDepth) throw tooMuch(`is nested more than ${limits.filterDepth} deep`)
  walk.filters += 1
  if (walk.filters > 2 * limits.filterConditions)
    throw tooMuch(`has more than ${2 * limits.filterConditions} filters in one another`)
  return {
    all: Object.entries(filter).flatMap(([name, value]) =>
      memberOf(walk, { name, value }, { path: `${path}.${name}`, depth }),
    ),
  }
}

function memberOf(
  walk: Walk,
  { name, value }: { name: string; value: Member },
  scope: Scope,
): readonly Filter[] {
  const { path } = scope
  if (name === 'and' || name === 'or') return listOf(walk, { name, value }, scope)
  if (isList(value)) return issue(walk, path, 'takes a value, null or operators')
  if (name === 'not') return isFilter(value) ? [{ not: inner(walk, value, scope) }] : notFilter(walk, path)
  const operators = value === null ? { exists: 'false' } : value
  return conditionsOf(walk.names, { name, operators, path }).flatMap((found) =>
    'message' in found ? issue(walk, found.path, found.message) : counted(walk, found),
  )
}

function listOf(
  walk: Walk,
  { name, value }: { name: 'and' | 'or'; value: Member },
  scope: Scope,
): readonly Filter[] {
  if (!isList(value)) return issue(walk, scope.path, 'takes a list of filters')
  const filters = value.map((one, index) => inner(walk, one, { ...scope, path: `${scope.path}.${index}` }))
  return [name === 'and' ? { all: filters } : { any: filters }]
}

function inner(walk: Walk, filter: QueryFilter, { path, depth }: Scope): Filter {
  return allOf(walk, filter, { path, depth: depth + 1 })
}

function isList(value: Member): value is readonly QueryFilter[] {
  return Array.isArray(value)
}

/** Operators parse as what they are, and where a filter belongs they are names of fields that there are not. */
function isFilter(value: Member): value is QueryFilter {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notFilter(walk: Walk, path: string): never[] {
  return issue(walk, path, 'takes a filter')
}

// Nobody reads more; one for each member would make an answer as long as the question.
const mostIssues = 100

function issue({ issues }: Walk, path: string, message: string): never[] {
  if (issues.length < mostIssues) issues.push({ path, message })
  return []
}

function counted(walk: Walk, condition: Condition): readonly Condition[] {
  walk.conditions += 1
  if (Array.isArray(condition.value)) walk.values += condition.value.length
  return [condition]
}
