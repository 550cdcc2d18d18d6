import { boundIssues, limits, parseAs, QuireError, type Endpoint, type Issue } from '@quire/contract'

/**
 * Validates an input against the endpoint's schema and fills in defaults. Errors: `invalid` with an
 * issue for each member that is wrong or unknown.
 * Text with NUL or half a surrogate pair cannot be stored by every store, and nesting beyond the
 * limit could not be read back. Both are refused here for every operation.
 */
export function checkInput(endpoint: Endpoint, input: unknown): Record<string, unknown> {
  const unfit = findUnfit(withoutFile(endpoint, input), 0)
  if (unfit) throw invalid([{ path: unfit.names.reduce(memberPath, ''), message: unfit.message }])
  const parsed = parseAs(endpoint.input, input)
  if ('issues' in parsed) throw invalid(parsed.issues)
  return parsed.value
}

/** Why a value from elsewhere cannot be stored; null when it can. */
export function unfitProblem(value: unknown): string | null {
  const unfit = findUnfit(value, 0)
  return unfit && [unfit.names.reduce(memberPath, ''), unfit.message].filter(Boolean).join(' ')
}

/**
 * The JSON part of an input, without files. A file has members of its own: in Node, a slice of a
 * Blob has its own `constructor`.
 */
function withoutFile({ body, input: { shape } }: Endpoint, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  if (body === 'message') return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'body'))
  if (!('file' in shape)) return input
  const { file: _file, ...others } = input as { readonly file?: unknown }
  return others
}

/** An `invalid` error whose message names the first issue. */
export function invalid(issues: Issue[]): QuireError {
  const first = issues[0]
  const where = first?.path ? `${first.path}: ` : ''
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see issues)` : ''
  const message = `${where}${first?.message ?? 'is not valid'}${more}`
  return new QuireError('invalid', message, { issues: boundIssues(issues) })
}

/** The issue of a member; null when there is no message. */
export function issueAt(path: string, message: string | false | null): Issue | null {
  return message === null || message === false ? null : { path, message }
}

const reserved = new Set(['__proto__', 'constructor', 'prototype'])

interface Unfit {
  /** The path from the input down to the member. */
  readonly names: readonly string[]
  readonly message: string
}

// Every input is walked and almost all are valid, so the path is built only for an invalid one.
function findUnfit(value: unknown, depth: number): Unfit | null {
  if (typeof value === 'string') return unfitText(value)
  if (typeof value !== 'object' || value === null) return null
  if (depth >= limits.jsonDepth) return unfit(`is nested more than ${limits.jsonDepth} deep`)
  for (const name of Object.keys(value)) {
    const found = unfitName(name) ?? findUnfit((value as Record<string, unknown>)[name], depth + 1)
    if (found) return { ...found, names: [name, ...found.names] }
  }
  return null
}

function unfitName(name: string): Unfit | null {
  return reserved.has(name) ? unfit('is a reserved name') : unfitText(name)
}

function unfitText(text: string): Unfit | null {
  if (text.includes('\0')) return unfit('contains a NUL character')
  return text.isWellFormed() ? null : unfit('contains half a surrogate pair')
}

function unfit(message: string): Unfit {
  return { names: [], message }
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
