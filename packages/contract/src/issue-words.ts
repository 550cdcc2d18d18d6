import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type OfCode<C extends Issue['code']> = Extract<Issue, { readonly code: C }>

/**
 * The message of an issue: what the value must be and what it is. It continues a sentence that
 * begins with the name of the member, as in `limit: must be at least 1, not 0`.
 */
export function wordsOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return typeWords([issue.expected], issue.input)
  if (issue.code === 'invalid_value') return valueWords(issue)
  if (issue.code === 'too_small') return boundWords(issue, issue.minimum, ['at least', 'more than'])
  if (issue.code === 'too_big') return boundWords(issue, issue.maximum, ['at most', 'less than'])
  if (issue.code === 'invalid_format') return formatWords(issue)
  if (issue.code === 'not_multiple_of')
    return `must be a multiple of ${issue.divisor}, not ${visible(issue.input)}`
  if (issue.code === 'invalid_key') return innerWords('has an invalid name:', issue.issues)
  if (issue.code === 'invalid_element') return innerWords('has an invalid entry:', issue.issues)
  if (issue.code === 'invalid_union') return unionWords(issue)
  return 'is not valid'
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
  file: 'a file',
  undefined: 'left out',
  never: 'left out',
}

/** The message for a value that must have one of these types. */
export function typeWords(expected: readonly string[], input: unknown): string {
  if (input === undefined) return 'is required'
  const names = [...new Set(expected.map((type) => typeNames[type] ?? `a ${type}`))]
  return `must be ${anyOf(names)}, not ${visible(input)}`
}

function valueWords({ values, input }: OfCode<'invalid_value'>): string {
  return input === undefined ? 'is required' : `must be ${choice(values)}, not ${visible(input)}`
}

// A longer list of allowed values would not help the reader.
const mostNamed = 50

function choice(values: readonly unknown[]): string {
  const named = values.slice(0, mostNamed).map(String)
  if (values.length === 1) return named[0] ?? ''
  return `one of ${named.join(', ')}${values.length > mostNamed ? ', …' : ''}`
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['member', 'members'],
  record: ['member', 'members'],
  file: ['byte', 'bytes'],
}

function boundWords(
  { origin, inclusive, exact, input }: OfCode<'too_small' | 'too_big'>,
  bound: number | bigint,
  [within, beyond]: readonly [string, string],
): string {
  const unit = units[origin]
  const limit = inclusive === false ? beyond : within
  if (!unit) return `must be ${limit} ${bound}, not ${visible(input)}`
  const size = sizeOf(input)
  const has = size === undefined ? '' : `, but has ${size === 0 ? 'none' : size}`
  return `must have ${exact ? 'exactly' : limit} ${bound} ${unit[bound === 1 ? 0 : 1]}${has}`
}

function sizeOf(input: unknown): number | undefined {
  if (typeof input === 'string' || Array.isArray(input)) return input.length
  if (typeof input !== 'object' || input === null) return undefined
  if ('size' in input && typeof input.size === 'number') return input.size
  return Object.keys(input).length
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an address such as https://example.org/',
  uri: 'an address such as https://example.org/',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'a date and a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 12:00:00',
  duration: 'a duration such as P1DT12H',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a range of IPv4 addresses',
  cidrv6: 'a range of IPv6 addresses',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
}

// The message leaves the value out: an address may contain a password.
function formatWords(issue: OfCode<'invalid_format'>): string {
  if ('prefix' in issue) return `must begin with "${String(issue.prefix)}"`
  if ('suffix' in issue) return `must end with "${String(issue.suffix)}"`
  if ('includes' in issue) return `must contain "${String(issue.includes)}"`
  if (issue.format === 'regex') return `must match the pattern ${issue.pattern}`
  return `must be ${formats[issue.format] ?? `in the format ${issue.format}`}`
}

function innerWords(what: string, [first]: readonly Issue[]): string {
  return `${what} ${first ? first.message || wordsOf(first) : 'is not valid'}`
}

function unionWords(issue: OfCode<'invalid_union'>): string {
  if (issue.inclusive === false) return 'matches more than one of the allowed forms'
  if (issue.options) return `must be ${choice(issue.options)}`
  return flatWords(issue.errors.flat(), issue.input)
}

/**
 * The message for a value that no branch of a union accepts: all allowed types in one sentence,
 * otherwise the first other issue.
 */
function flatWords(issues: readonly Issue[], input: unknown): string {
  const types = issues.flatMap((issue) => (issue.code === 'invalid_type' ? [issue.expected] : []))
  if (types.length > 0 && types.length === issues.length) return typeWords(types, input)
  const other = issues.find((issue) => issue.code !== 'invalid_type')
  return other ? other.message || wordsOf(other) : 'is not valid'
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

// Characters of a text in a message: enough to recognize it.
const mostCharacters = 40

/** A value as a sentence names it; long texts are shortened. */
function visible(input: unknown): string {
  if (typeof input === 'string')
    return JSON.stringify(input.length > mostCharacters ? `${input.slice(0, mostCharacters)}…` : input)
  if (Array.isArray(input)) return 'a list'
  if (input === null || typeof input === 'number' || typeof input === 'boolean') return String(input)
  if (input === undefined) return 'left out'
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`
}
