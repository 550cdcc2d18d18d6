import { QuireError } from '../errors.ts'
import { limits } from '../limits.ts'
import { invalidMember, isMembers } from './invalid.ts'
import { parseQuery } from './parse-query.ts'
import type { Route } from './route.ts'

/**
 * The text of a body, parsed as the route wants it; undefined when it is empty.
 * Errors: QuireError `invalid` for what is not JSON, and naming it for a member `__proto__`, which no schema would see, wherever a body may have one.
 */
export function decodeBody(route: Route, text: string): unknown {
  if (route.body === 'form') return parseQuery(text)
  if (text === '') return undefined
  const body = parseJson(text)
  if (/__proto__|\\u/.test(text)) refuseProto(body, [])
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

/** Looks no deeper than what is taken at all: what is nested further is refused with the input, and would exhaust the stack here. */
function refuseProto(value: unknown, path: readonly (string | number)[]): void {
  if (path.length > limits.jsonDepth) return
  if (Array.isArray(value)) value.forEach((member, index) => refuseProto(member, [...path, index]))
  if (!isMembers(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw invalidMember([...path, name].join('.'), 'is not a known member')
    refuseProto(member, [...path, name])
  }
}
