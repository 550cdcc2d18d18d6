import type { z } from 'zod'
import { takesAnyCase } from '../any-case.ts'
import { splitList } from './comma-list.ts'
import { refuseProto } from './decode-body.ts'
import { bareObject, isMembers } from './invalid.ts'

/**
 * Converts text from a path, query string or form to the type that the schema expects: numbers,
 * booleans, comma-separated lists, words in any case, and all of these inside objects. An object may
 * also be one JSON text. A text that
 * does not fit stays unchanged, so that the schema rejects it by name. Reads only the schema; zod
 * itself is not imported.
 */
export function coerce(schema: z.core.$ZodType, value: unknown): unknown {
  // The union of all definitions, which `def.type` discriminates. The static type of a schema does
  // not have it.
  const def = (schema as z.core.$ZodTypes)._zod.def
  const word = typeof value === 'string' ? toWord(schema, value) : undefined
  if (word !== undefined) return word
  if (def.type === 'array') return toList(def.element, value)
  if (def.type === 'union') return toMember(def.options, value)
  if (def.type === 'record') return mapMembers(toObject(value), () => def.valueType)
  if (def.type === 'object')
    return mapMembers(toObject(value), (name) =>
      Object.hasOwn(def.shape, name) ? def.shape[name] : undefined,
    )
  const inner = innerOf(def)
  return inner ? coerce(inner, value) : value
}

/** The single value that a text means; undefined if the schema is for more than a single value. */
function toWord(schema: z.core.$ZodType, text: string): unknown {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'number') return toNumber(text)
  if (def.type === 'boolean') return toBoolean(text)
  if (def.type === 'literal') return def.values.find((literal) => String(literal) === text) ?? text
  return takesAnyCase(schema) ? text.toLowerCase() : undefined
}

/** The schema inside a wrapper: optional, default, pipe, lazy… */
function innerOf(def: z.core.$ZodTypes['_zod']['def']): z.core.$ZodType | undefined {
  if ('innerType' in def) return def.innerType
  if (def.type === 'lazy') return def.getter()
  if (def.type === 'pipe') return def.in._zod.def.type === 'transform' ? def.out : def.in
  return undefined
}

function toBoolean(text: string): string | boolean {
  if (text === 'true') return true
  return text === 'false' ? false : text
}

/**
 * Accepts decimal digits only: no `+`, exponent, spaces or hexadecimal, and no number that a double
 * would round.
 */
function toNumber(text: string): string | number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const number = Number(text)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

/** A repeated name is one list: `select=a&select=b,c`. */
function toList(element: z.core.$ZodType, value: unknown): unknown {
  const texts: unknown[] = Array.isArray(value) ? value : [value]
  if (!texts.every((text) => typeof text === 'string')) return value
  return texts.flatMap(splitList).map((member) => coerce(element, member))
}

/** The object that a JSON text means. Other texts stay unchanged. Errors: `invalid` for `__proto__`. */
function toObject(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  const parsed = parseOr(value)
  refuseProto(parsed, [])
  return parsed
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function mapMembers(value: unknown, schemaOf: (name: string) => z.core.$ZodType | undefined): unknown {
  if (!isMembers(value)) return value
  const mapped = bareObject()
  for (const [name, member] of Object.entries(value)) {
    const schema = schemaOf(name)
    mapped[name] = schema ? coerce(schema, member) : member
  }
  return mapped
}

/**
 * The value as the first option of the union that accepts it. An object that no option accepts is
 * converted by the first option for objects.
 */
function toMember(options: readonly z.core.$ZodType[], value: unknown): unknown {
  let object: unknown
  // One after the other: a list of any JSON, in which a text is a list with that text, has no end.
  for (const option of options) {
    const candidate = coerce(option, value)
    if (accepts(option, candidate)) return candidate
    if (object === undefined && isMembers(candidate) && candidate !== value) object = candidate
  }
  return object ?? value
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = schema._zod.run({ value, issues: [] }, { async: false })
  return !(parsed instanceof Promise) && parsed.issues.length === 0
}
