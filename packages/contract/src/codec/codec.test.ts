import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../contract.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  createPathMatcher,
  decodeBody,
  decodeInput,
  decodeProxiedRequest,
  decodeTusRequest,
  parseQuery,
  type EncodedRequest,
} from './index.ts'
import { encodeRequest } from './whole.ts'

/**
 * Characters with a special meaning in some encoding on the way to the server, and characters that
 * are long in UTF-8 or UTF-16.
 */
const hostile = [
  ...[...Array(128).keys()].map((code) => String.fromCharCode(code)),
  ...'é 中 \u{301} \u{fffd} \u{1f600} \u{10ffff} %2F \\, [] true null __proto__'.split(' '),
]
const special = [...new Set(hostile.filter((unit) => !/^[A-Za-z0-9]$/.test(unit)))]
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...hostile), fc.constantFrom(...special)),
  maxLength: 12,
})

/** Below this depth lists are empty, so that recursive schemas end. */
const deepest = 5

/** Values that a schema usually accepts. Those that it rejects are filtered out by parsing. */
function valuesOf(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if ('innerType' in def) return innerValues(def.type, valuesOf(def.innerType, depth))
  if (def.type === 'lazy') return valuesOf(def.getter(), depth + 1)
  if (def.type === 'pipe') return valuesOf(def.in, depth)
  if (def.type === 'object') return fc.record(mapValues(def.shape, (member) => valuesOf(member, depth + 1)))
  if (def.type === 'union') {
    return fc.oneof(...leavesFirst(def.options, depth).map((option) => valuesOf(option, depth + 1)))
  }
  if (def.type === 'array') {
    return depth > deepest ? fc.constant([]) : arraysOf(schema, valuesOf(def.element, depth + 1))
  }
  if (def.type === 'record') {
    return depth > deepest ? fc.constant({}) : recordsOf(valuesOf(def.valueType, depth + 1))
  }
  return leavesOf(schema)
}

function leavesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'string') return 'format' in def && def.format === 'url' ? fc.webUrl() : stringsOf(schema)
  if (def.type === 'number') return numbersOf(schema)
  if (def.type === 'custom') return fc.constant(new File(['bytes'], 'a.txt'))
  if (def.type === 'boolean') return fc.boolean()
  if (def.type === 'null') return fc.constant(null)
  if (def.type === 'undefined') return fc.constant(undefined)
  if (def.type === 'unknown') return fc.oneof(text, fc.integer(), fc.constant({ deep: [null, { er: '%' }] }))
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries))
  if (def.type === 'literal') return fc.constantFrom(...def.values)
  throw new Error(`There are no values for a schema of type ${def.type}`)
}

function innerValues(type: string, inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (type === 'nullable') return fc.option(inner, { freq: 4 })
  return type === 'readonly' ? inner : fc.option(inner, { nil: undefined, freq: 2 })
}

/** The bounds and patterns that the checks of a schema left on it. */
interface Bag {
  minimum?: number
  maximum?: number
  patterns?: Set<RegExp>
}

/**
 * The bag of a described schema is empty, because it is a copy. Its checks have the same
 * information.
 */
function bagOf(schema: z.core.$ZodType): Bag {
  const patterns = (schema._zod.def.checks ?? []).flatMap((check) => {
    const { pattern } = check._zod.def as { pattern?: RegExp }
    return pattern ? [pattern] : []
  })
  return patterns.length === 0 ? schema._zod.bag : { ...schema._zod.bag, patterns: new Set(patterns) }
}

function stringsOf(schema: z.core.$ZodType): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 12, patterns = new Set() } = bagOf(schema)
  const [pattern] = patterns
  if (pattern?.source.includes('|(?:')) return fc.constantFrom('2024-02-29', '1999-12-31')
  if (pattern)
    return fc.stringMatching(pattern).filter((name) => name.length >= minimum && name.length <= maximum * 10)
  return text.filter((value) => value.length >= minimum && value.length <= maximum)
}

function numbersOf(schema: z.core.$ZodType): fc.Arbitrary<number> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = bagOf(schema)
  const whole = fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
  const decimal = fc.double({ min: minimum, max: maximum, noNaN: true }).map((number) => number + 0)
  return fc.oneof(whole, decimal)
}

function arraysOf(schema: z.core.$ZodType, member: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  return fc.array(member, { minLength: bagOf(schema).minimum ?? 0, maxLength: 4 })
}

/**
 * Without members whose name is empty: no field has one, and in a query string that means the empty
 * object. Without a member named by one backslash: after an object that has one, `JSON.parse` of
 * V8 13.6 reads the next name that is one escape sequence (`{"a":1,"\\n":2}`) as a backslash.
 */
function recordsOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const name = fc.oneof(text, fc.constantFrom('constructor', 'prototype', 'toString', 'fields.price'))
  return fc.dictionary(
    name.filter((key) => !['', '__proto__', '\\'].includes(key)),
    value,
    { maxKeys: 3 },
  )
}

function leavesFirst(options: readonly z.core.$ZodType[], depth: number): z.core.$ZodType[] {
  const leaves = options.filter((option) => !['array', 'record', 'object'].includes(option._zod.def.type))
  return depth > deepest && leaves.length > 0 ? leaves : [...options]
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

/** Inputs that the endpoint accepts and that can be written in a path. */
function inputsOf(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const isOfDots = (value: unknown) => typeof value === 'string' && /(?:^|\/)\.\.?(?:\/|$)/.test(value)
  return valuesOf(endpoint.input)
    .map((input) => input as Record<string, unknown>)
    .filter((input) => endpoint.input.safeParse(input).success)
    .filter((input) => !Object.values(input).some(isOfDots))
}

/** The input that arrives, as a server reads it from the request line and the body. */
function receive(endpoint: Endpoint, request: EncodedRequest): Record<string, unknown> {
  const { pathname, search } = new URL(request.path, 'http://quire.test')
  const params = createPathMatcher(endpoint)(pathname)
  if (params === null) throw new Error(`${request.path} is not a path of the endpoint`)
  const bytes = request.file && { file: request.file }
  if (endpoint.body === 'tus')
    return { ...params, ...decodeTusRequest(endpoint, (name) => request.headers[name]), ...bytes }
  if (endpoint.body === 'message') {
    const [, ...query] = request.path.split('?')
    const header = (name: string) => request.headers[name]
    return decodeProxiedRequest({ ...request, params, query: query.join('?'), header, body: request.file })
  }
  const text = request.body === undefined ? undefined : decodeBody(endpoint, request.body)
  const body = bytes ? { ...Object(text), ...bytes } : text
  const header = (name: string) => request.headers[name]
  return decodeInput(endpoint, { params, query: parseQuery(search), body, header })
}

const named = endpoints.map(({ group, operation, endpoint }) => [`${group}.${operation}`, endpoint] as const)

describe.each(named)('%s', (_, endpoint) => {
  it('accepts its example over the wire', () => {
    const arrived = receive(endpoint, encodeRequest(endpoint, endpoint.example.input))
    expect(endpoint.input.parse(arrived)).toEqual(endpoint.input.parse(endpoint.example.input))
  })

  it('means the same over the wire as in process, as sent and as parsed', () => {
    fc.assert(
      fc.property(inputsOf(endpoint), (input) => {
        const parsed = endpoint.input.parse(input)
        expect(endpoint.input.parse(receive(endpoint, encodeRequest(endpoint, input)))).toEqual(parsed)
        expect(endpoint.input.parse(receive(endpoint, encodeRequest(endpoint, parsed)))).toEqual(parsed)
      }),
    )
  })

  it('encodes a decoded request as it was', () => {
    fc.assert(
      fc.property(inputsOf(endpoint), (input) => {
        const request = encodeRequest(endpoint, input)
        expect(encodeRequest(endpoint, receive(endpoint, request))).toEqual(request)
      }),
    )
  })
})
