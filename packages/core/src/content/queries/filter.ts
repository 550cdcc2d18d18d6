import { limits, type Issue, type QueryFilter } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { conditionsOf, type QueryNames } from '../items/query.ts'
import type { Condition, Filter } from '../../ports/index.ts'

/**
 * Converts a JSON filter with `and`, `or` and `not` to the store's filter.
 * Errors: `invalid` with the path of each wrong field, operator and value, and for a filter that is
 * too large. Unknown fields and fields that the caller may not read give the same error.
 */
export function queryFilterOf(names: QueryNames, filter: QueryFilter): Filter {
  const walk: FilterWalk = { names, issues: [], filters: 0, conditions: 0, values: 0 }
  const found = allOf(walk, filter, { path: 'filter', depth: 0 })
  if (walk.conditions > limits.filterConditions)
    throw tooMuch(`has more than ${limits.filterConditions} conditions`)
  if (walk.values > limits.filterValues)
    throw tooMuch(`has more than ${limits.filterValues} values in its lists`)
  if (walk.issues.length > 0) throw invalid(walk.issues)
  return found
}

/** What is counted and collected while a filter is converted. */
interface FilterWalk {
  readonly names: QueryNames
  readonly issues: Issue[]
  filters: number
  conditions: number
  values: number
}

/** The path of a filter within the input, and how deep it is nested. */
interface Position {
  readonly path: string
  readonly depth: number
}

type Member = QueryFilter[string]

function tooMuch(message: string) {
  return invalid([{ path: 'filter', message }])
}

function allOf(walk: FilterWalk, filter: QueryFilter, { path, depth }: Position): Filter {
  if (depth > limits.filterDepth) throw tooMuch(`is nested more than ${limits.filterDepth} deep`)
  walk.filters += 1
  if (walk.filters > 2 * limits.filterConditions)
    throw tooMuch(`has more than ${2 * limits.filterConditions} nested filters`)
  return {
    all: Object.entries(filter).flatMap(([name, value]) =>
      memberOf(walk, { name, value }, { path: `${path}.${name}`, depth }),
    ),
  }
}

function memberOf(
  walk: FilterWalk,
  { name, value }: { name: string; value: Member },
  position: Position,
): readonly Filter[] {
  const { path } = position
  if (name === 'and' || name === 'or') return listOf(walk, { name, value }, position)
  if (isList(value)) return issue(walk, path, 'must be a value, null or an object of operators')
  if (name === 'not') return isFilter(value) ? [{ not: inner(walk, value, position) }] : notFilter(walk, path)
  const operators = value === null ? { exists: 'false' } : value
  return conditionsOf(walk.names, { name, operators, path }).flatMap((found) =>
    'message' in found ? issue(walk, found.path, found.message) : counted(walk, found),
  )
}

function listOf(
  walk: FilterWalk,
  { name, value }: { name: 'and' | 'or'; value: Member },
  position: Position,
): readonly Filter[] {
  if (!isList(value)) return issue(walk, position.path, 'must be a list of filters')
  const filters = value.map((one, index) =>
    inner(walk, one, { ...position, path: `${position.path}.${index}` }),
  )
  return [name === 'and' ? { all: filters } : { any: filters }]
}

function inner(walk: FilterWalk, filter: QueryFilter, { path, depth }: Position): Filter {
  return allOf(walk, filter, { path, depth: depth + 1 })
}

function isList(value: Member): value is readonly QueryFilter[] {
  return Array.isArray(value)
}

/**
 * Whether a member can be a filter. Operators pass as well; they are then reported as unknown
 * fields.
 */
function isFilter(value: Member): value is QueryFilter {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notFilter(walk: FilterWalk, path: string): never[] {
  return issue(walk, path, 'must be a filter')
}

// Nobody reads more issues. One for each member could make the answer as large as the request.
const maxIssues = 100

function issue({ issues }: FilterWalk, path: string, message: string): never[] {
  if (issues.length < maxIssues) issues.push({ path, message })
  return []
}

function counted(walk: FilterWalk, condition: Condition): readonly Condition[] {
  walk.conditions += 1
  if (Array.isArray(condition.value)) walk.values += condition.value.length
  return [condition]
}
