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
  requireFewValues(text)
  const body = parseJson(text)
  if (/__proto__|\\u/.test(text)) refuseProto(body, [])
  return body
}

/**
 * Refuses what takes long to parse before it is parsed: of 5 MiB, half a million members take 600 ms to read and check, and one long
 * text 4 ms. The values are counted by the signs between them; what stands in quotes is passed over.
 */
function requireFewValues(text: string): void {
  // Each value but a last one brings a comma, and the shortest is one digit.
  if (text.length < 2 * limits.jsonValues) return
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === signs.quote) at = endOfText(text, at)
    else if (sign === signs.comma || sign === signs.list || sign === signs.object) count += 1
    if (count <= limits.jsonValues) continue
    throw invalidMember('', `A body has at most ${limits.jsonValues} values: send it in parts.`)
  }
}

const signs = { quote: 0x22, comma: 0x2c, list: 0x5b, backslash: 0x5c, object: 0x7b } as const

function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === signs.backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
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
