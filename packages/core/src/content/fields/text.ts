import { limits } from '@quire/contract'
import { graphType, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds text. Its settings can require a pattern or one of a list of options. */
export const text: FieldRules<'text'> = {
  ...plain,
  async settingsIssues({ pattern }) {
    const problem = pattern === undefined ? null : await patternProblem(pattern)
    return problem === null ? [] : [{ path: 'pattern', message: problem }]
  },
  tooLong(value, { maxLength, pattern }) {
    if (value.length > (maxLength ?? Infinity)) return null
    const max = pattern === undefined ? (maxLength ?? limits.text) : limits.patternText
    return value.length > max ? `must have at most ${max} characters` : null
  },
  async check(value, { minLength = 0, maxLength = Infinity, options, pattern }) {
    if (typeof value !== 'string') return reject('must be text')
    if (value.length < minLength) return reject(`must have at least ${minLength} characters`)
    if (value.length > maxLength) return reject(`must have at most ${maxLength} characters`)
    if (options && !options.includes(value)) return reject(`must be one of ${listOptions(options)}`)
    if (pattern !== undefined && !(await matchesPattern(pattern, value)))
      return reject(`must match ${pattern}`)
    return accept(value)
  },
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: true,
  merge: { single: 'lines', list: 'value' },
  convert: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  narrowing: {
    settings: ['options'],
    unfit: ({ options }) => (options ? [{ op: 'nin', value: options }] : []),
  },
  graphql: graphType('String'),
}

/** The first 20 options. The list is kept short because it is repeated for each wrong entry. */
function listOptions(options: readonly string[]): string {
  return options.length <= 20 ? options.join(', ') : `${options.slice(0, 20).join(', ')}, …`
}

/**
 * Patterns run on RE2, in time linear in the length of the text. They never run on the host's
 * backtracking engine, so no pattern can take exponential time (TRUST S16). RE2 is loaded when the
 * first pattern is used.
 */
async function matchesPattern(pattern: string, value: string): Promise<boolean> {
  const { RE2JS } = await import('re2js')
  return RE2JS.compile(pattern).matcher(value).matches()
}

/**
 * Why RE2 rejects a pattern, or null if the pattern is valid. RE2 has no look-around or
 * back-references.
 */
async function patternProblem(pattern: string): Promise<string | null> {
  const { RE2JS } = await import('re2js')
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return `is not a valid RE2 pattern: ${error instanceof Error ? error.message : 'unknown syntax'}`
  }
}
