import { limits } from '@quire/contract'
import { graphType, no, ok, plain, type FieldRules } from './rules.ts'

/** A text, of some pattern or one of some options where the settings say so. */
export const text: FieldRules<'text'> = {
  ...plain,
  async settingsIssues({ pattern }) {
    const problem = pattern === undefined ? null : await patternProblem(pattern)
    return problem === null ? [] : [{ path: 'pattern', message: problem }]
  },
  tooLong(value, { maxLength, pattern }) {
    if (value.length > (maxLength ?? Infinity)) return null
    const most = pattern === undefined ? (maxLength ?? limits.text) : limits.patternText
    return value.length > most ? `must have at most ${most} characters` : null
  },
  async check(value, { minLength = 0, maxLength = Infinity, options, pattern }) {
    if (typeof value !== 'string') return no('must be text')
    if (value.length < minLength) return no(`must have at least ${minLength} characters`)
    if (value.length > maxLength) return no(`must have at most ${maxLength} characters`)
    if (options && !options.includes(value)) return no(`must be one of ${listed(options)}`)
    if (pattern !== undefined && !(await matchesPattern(pattern, value))) return no(`must match ${pattern}`)
    return ok(value)
  },
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: true,
  merge: { single: 'lines', list: 'value' },
  convert: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  graphql: graphType('String'),
}

/** Enough of a list to see what is meant: an error names it once for each wrong entry. */
function listed(options: readonly string[]): string {
  return options.length <= 20 ? options.join(', ') : `${options.slice(0, 20).join(', ')}, …`
}

/**
 * Patterns run on RE2 (linear in the length of the text), never on the host's backtracking engine: a pattern that
 * takes exponential time cannot be written (TRUST S16). Loaded when the first pattern is used.
 */
async function matchesPattern(pattern: string, value: string): Promise<boolean> {
  const { RE2JS } = await import('re2js')
  return RE2JS.compile(pattern).matcher(value).matches()
}

/** What is wrong with a pattern; null when it can be used. Look-around and back-references are not part of RE2. */
async function patternProblem(pattern: string): Promise<string | null> {
  const { RE2JS } = await import('re2js')
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return `is no RE2 pattern: ${error instanceof Error ? error.message : 'unknown syntax'}`
  }
}
