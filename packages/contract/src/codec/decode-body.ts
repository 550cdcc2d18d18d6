import { QuireError } from '../errors.ts'
import { limits } from '../limits.ts'
import { hasFewValues } from './few-values.ts'
import { invalidMember, isMembers } from './invalid.ts'
import { parseQuery } from './parse-query.ts'
import type { Route } from './route.ts'

/**
 * The text of a body, parsed in the form of the route; undefined if it is empty. Errors: QuireError
 * `invalid` for text that is not JSON, and for a member `__proto__` at any depth, which a schema
 * would not see.
 */
export function decodeBody(route: Route, text: string): unknown {
  if (route.body === 'form') return parseQuery(text)
  if (text === '') return undefined
  if (!hasFewValues(text))
    throw invalidMember('', `A body can have at most ${limits.jsonValues} values: split the request.`)
  const body = parseJson(text)
  if (text.includes('__proto__') || text.includes(String.raw`\u`)) refuseProto(body, [])
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new QuireError('invalid', 'The body is not JSON.', {
      issues: [{ path: '', message: 'is not JSON' }],
      cause,
    })
  }
}

/**
 * Stops at the maximum depth. Deeper values would overflow the stack here, and are rejected later
 * with the input.
 */
export function refuseProto(value: unknown, path: readonly (string | number)[]): void {
  if (path.length > limits.jsonDepth) return
  if (Array.isArray(value)) value.forEach((member, index) => refuseProto(member, [...path, index]))
  if (!isMembers(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw invalidMember([...path, name].join('.'), 'is not a known member')
    refuseProto(member, [...path, name])
  }
}
