import type { z } from 'zod'
import type { Issue } from './errors.ts'

/** What a schema says of a value. */
export type Parsed<T> = { readonly value: T } | { readonly issues: Issue[] }

/** Parses a value; each issue names its member in dot notation, unknown members one by one. */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  const parsed = schema.safeParse(value)
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues.flatMap(issuesOf) }
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known member' }))
  }
  if (issue.code === 'invalid_union') return unionIssues(issue, path)
  return [{ path: path.join('.'), message: issue.message }]
}

// Of a union, the branch that came furthest says most; a flat mismatch of all branches is said once.
function unionIssues(issue: z.core.$ZodIssueInvalidUnion, path: string[]): Issue[] {
  const branches = issue.errors.map((branch) => branch.flatMap(issuesOf))
  const deep = branches.find((branch) => branch.some((inner) => inner.path !== ''))
  if (!deep) return [{ path: path.join('.'), message: branches.flat()[0]?.message ?? issue.message }]
  return deep.map((inner) => ({
    path: [...path, inner.path].filter(Boolean).join('.'),
    message: inner.message,
  }))
}
