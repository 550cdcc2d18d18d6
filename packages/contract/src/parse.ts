import type { z } from 'zod'
import type { Issue } from './errors.ts'
import { typeWords, wordsOf } from './issue-words.ts'
import { limits } from './limits.ts'

/** What a schema says of a value. */
export type Parsed<T> = { readonly value: T } | { readonly issues: Issue[] }

/** Parses a value; each issue names its member in dot notation, unknown members one by one, as `boundIssues` has them. */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  const parsed = schema.safeParse(value, ownWords)
  return parsed.success ? { value: parsed.data } : { issues: issuesOfAll(parsed.error.issues) }
}

// A schema's own message stays. The words for all else are found for those issues alone that are told (`wordsOf`), from the value.
const ownWords: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: ({ code, inst, input }) =>
    code === 'invalid_type' && isWhole(inst) ? typeWords(['int'], input) : '',
}

function isWhole(inst: z.core.$ZodRawIssue['inst']): boolean {
  return inst !== undefined && 'format' in inst._zod.def && inst._zod.def.format === 'safeint'
}

/** The first issues, and how many more there are: whoever sends a thousand mistakes mends the first ones first. */
export function boundIssues(issues: readonly Issue[], count = issues.length): Issue[] {
  if (count <= limits.issues + 1) return [...issues]
  const more = { path: '', message: `and ${count - limits.issues} more` }
  return [...issues.slice(0, limits.issues), more]
}

// What comes after the first is counted and not written out: each would cost its sender a few bytes, and the server much more.
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

// Of a union, the branch that came furthest says most; a flat mismatch of all branches is said once.
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
