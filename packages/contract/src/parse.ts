import type { z } from 'zod'
import type { Issue } from './errors.ts'
import { typeWords, wordsOf } from './issue-words.ts'
import { limits } from './limits.ts'

/** The parsed value, or what is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly issues: Issue[] }

/**
 * Parses a value. Each issue names one member in dot notation, and each unknown member has its own
 * issue. `boundIssues` limits their number.
 */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  try {
    const parsed = schema.safeParse(value, ownWords)
    return parsed.success ? { value: parsed.data } : { issues: issuesOfAll(parsed.error.issues) }
  } catch (error) {
    const paths = unmeasurable(value)
    if (paths.length === 0) throw error
    return {
      issues: boundIssues(paths.map((path) => ({ path, message: 'has a "length" that is no number' }))),
    }
  }
}

/**
 * The paths of objects that have an object as their `length`. Where a text or a list belongs, zod
 * compares the length of whatever has one, and throws if that has no value.
 */
function unmeasurable(value: unknown): string[] {
  const paths: string[] = []
  const waiting: { readonly path: string; readonly value: unknown }[] = [{ path: '', value }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value: inside } = next
    if (typeof inside !== 'object' || inside === null) continue
    if ('length' in inside && typeof inside.length === 'object') paths.push(path)
    for (const [name, member] of Object.entries(inside))
      waiting.push({ path: path === '' ? name : `${path}.${name}`, value: member })
  }
  return paths
}

// A message that a schema sets is kept. Every other message stays empty here: `wordsOf` makes it
// later from the value, and only for the issues that are reported.
const ownWords: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: ({ code, inst, input }) =>
    code === 'invalid_type' && isWhole(inst) ? typeWords(['int'], input) : '',
}

function isWhole(inst: z.core.$ZodRawIssue['inst']): boolean {
  return inst !== undefined && 'format' in inst._zod.def && inst._zod.def.format === 'safeint'
}

/**
 * At most `limits.issues` issues, then one that says how many more there are. `count` is the number
 * of all issues.
 */
export function boundIssues(issues: readonly Issue[], count = issues.length): Issue[] {
  if (count <= limits.issues + 1) return [...issues]
  const more = { path: '', message: `and ${count - limits.issues} more` }
  return [...issues.slice(0, limits.issues), more]
}

// Issues beyond the limit are counted but not written out: each costs the sender a few bytes and
// the server much more.
function issuesOfAll(found: readonly z.core.$ZodIssue[]): Issue[] {
  const issues: Issue[] = []
  let count = 0
  for (const issue of found) {
    const room = limits.issues + 1 - issues.length
    const named = room === 0 ? [] : issuesOf(issue, room)
    issues.push(...named)
    count += issue.code === 'unrecognized_keys' ? issue.keys.length : Math.max(1, named.length)
  }
  return boundIssues(issues, count)
}

function issuesOf(issue: z.core.$ZodIssue, most: number): Issue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, most)
      .map((key) => ({ path: [...path, key].join('.'), message: 'is not a known member' }))
  }
  if (issue.code === 'invalid_union') return unionIssues(issue, path)
  return [{ path: path.join('.'), message: issue.message || wordsOf(issue) }]
}

// The branch of a union that matched furthest has the most useful issues. When no branch matched at
// all, one message covers them all.
function unionIssues(issue: z.core.$ZodIssueInvalidUnion, path: string[]): Issue[] {
  const branches = issue.errors.map((branch) =>
    branch.slice(0, limits.issues).flatMap((inner) => issuesOf(inner, limits.issues)),
  )
  const deep = branches.find((branch) => branch.some((inner) => inner.path !== ''))
  if (!deep) return [{ path: path.join('.'), message: issue.message || wordsOf(issue) }]
  return deep.map((inner) => ({
    path: [...path, inner.path].filter(Boolean).join('.'),
    message: inner.message,
  }))
}
