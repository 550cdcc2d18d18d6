import { limits } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'

// Per template (TRUST S19 rejects 10 000). Twice as many would only take longer to fill; half are
// still more than anyone writes.
const mostPlaceholders = 1000

const placeholders = /\{\{([^{}]*)\}\}/g
const onePlaceholder = /^\{\{([^{}]*)\}\}$/

/**
 * Why a template cannot be registered; null if it can. A template that is not JSON can be
 * registered: the full payload is then sent (specification 6.4).
 */
export function templateProblem(template: string): string | null {
  if (template.length > limits.webhookTemplate) return `is longer than ${limits.webhookTemplate} characters`
  const count = template.match(placeholders)?.length ?? 0
  if (count > mostPlaceholders) return `has more than ${mostPlaceholders} placeholders`
  const json = jsonOf(template)
  return json === undefined ? null : memberProblem(json, 0)
}

/** Parses a template; undefined if it is missing, not JSON, or could not be registered. */
export function readTemplate(template: string | null): Json | undefined {
  const json = template === null ? undefined : jsonOf(template)
  return json === undefined || memberProblem(json, 0) !== null ? undefined : json
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function memberProblem(value: Json, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null
  if (depth >= limits.jsonDepth) return `is nested more than ${limits.jsonDepth} deep`
  for (const [name, member] of Object.entries<Json>(value)) {
    const problem = isReservedName(name) ? `has a member of the reserved name ${name}` : null
    const first = problem ?? memberProblem(member, depth + 1)
    if (first !== null) return first
  }
  return null
}

/**
 * Called with the number of characters that a placeholder adds. Throws when the total is too large.
 */
export type Spend = (characters: number) => void

/**
 * Replaces the placeholders of a template by the values of their paths (specification 6.4). It
 * makes one pass over the strings of the template: inserted values and names of members are not
 * searched for placeholders, and there are no expressions. A value is inserted into the parsed
 * JSON, so that it cannot change its structure.
 */
export function fillTemplate(template: Json, context: JsonObject, spend: Spend): Json {
  const fill = (value: Json): Json => {
    if (typeof value === 'string') return fillText(value, context, spend)
    if (Array.isArray(value)) return value.map(fill)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]))
  }
  return fill(template)
}

/**
 * A text that is exactly one placeholder becomes the value itself, or null if its path leads
 * nowhere. Any other text stays a text.
 */
function fillText(text: string, context: JsonObject, spend: Spend): Json {
  const whole = onePlaceholder.exec(text)
  if (whole) {
    const value = lookUpTrimmed(context, whole[1]) ?? null
    spend(JSON.stringify(value).length)
    return value
  }
  return text.replace(placeholders, (_placeholder, path: string) => {
    const part = textOf(lookUpTrimmed(context, path))
    spend(part.length)
    return part
  })
}

/** Spaces around a path are ignored. */
function lookUpTrimmed(context: JsonObject, path = ''): Json | undefined {
  return lookUp(context, path.trim())
}

/**
 * A value within a text: strings as they are, lists and objects as JSON. Null and missing values
 * become an empty string, as in Mustache ("failed context lookups should default to empty
 * strings"). Specification 6.4 asks for null only for a text that is exactly one placeholder. Other
 * texts stay texts, in which "null" would read as a word.
 */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// Names in one path (TRUST S17). That is enough to reach into three nested groups that are lists.
const mostNames = 10

const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The value at a path in dot notation: own members of plain objects by name, elements of lists by
 * index (`taxonomies.0.name`). Undefined if the path leads nowhere, is longer than 200 characters
 * or has more than ten names. Null is a value like any other.
 */
export function lookUp(value: Json, path: string): Json | undefined {
  if (path.length > limits.dotPath) return undefined
  const names = path.split('.')
  return names.length > mostNames ? undefined : names.reduce(memberOf, value)
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (isReservedName(name)) return undefined
  if (isJsonObject(value)) return isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) ? elementOf(value, name) : undefined
}

/** Only canonical indexes: `0`, not `00`. */
function elementOf(list: readonly Json[], name: string): Json | undefined {
  return Object.hasOwn(list, name) ? list[Number(name)] : undefined
}

/** Whether a name can be inherited by any object (TRUST S17). */
export function isReservedName(name: string): boolean {
  return reserved.has(name)
}

/** Whether an object could come from parsing JSON. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
