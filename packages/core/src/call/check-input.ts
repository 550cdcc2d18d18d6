import { limits, parseAs, QuireError, type Endpoint, type Issue } from '@quire/contract'

/**
 * The input as the endpoint's schema gives it, defaults filled in.
 * Errors: `invalid` with an issue for each member that is wrong or unknown. Text with NUL or half a surrogate pair cannot be
 * kept by every store, and nesting beyond the limit could not be read back: both are refused here, for every operation.
 */
export function checkInput(endpoint: Endpoint, input: unknown): Record<string, unknown> {
  const unfit = unfitValue(input, '', 0)
  if (unfit) throw invalid([unfit])
  const parsed = parseAs(endpoint.input, input)
  if ('issues' in parsed) throw invalid(parsed.issues)
  return parsed.value
}

/** An `invalid` error whose message names the first issue. */
export function invalid(issues: Issue[]): QuireError {
  const first = issues[0]
  const where = first?.path ? `${first.path}: ` : ''
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see issues)` : ''
  return new QuireError('invalid', `${where}${first?.message ?? 'is not valid'}${more}`, { issues })
}

const reserved = new Set(['__proto__', 'constructor', 'prototype'])

function unfitValue(value: unknown, path: string, depth: number): Issue | null {
  if (typeof value === 'string') return unfitText(value, path)
  if (typeof value !== 'object' || value === null) return null
  if (depth >= limits.jsonDepth) return { path, message: `is nested more than ${limits.jsonDepth} deep` }
  for (const key of Object.keys(value)) {
    const inner = path === '' ? key : `${path}.${key}`
    if (reserved.has(key)) return { path: inner, message: 'is a reserved name' }
    const unfit =
      unfitText(key, inner) ?? unfitValue((value as Record<string, unknown>)[key], inner, depth + 1)
    if (unfit) return unfit
  }
  return null
}

function unfitText(text: string, path: string): Issue | null {
  if (text.includes('\0')) return { path, message: 'holds a NUL character' }
  return text.isWellFormed() ? null : { path, message: 'holds half a surrogate pair' }
}
