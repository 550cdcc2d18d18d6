import { limits } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'

// Of one template (TRUST S19 refuses 10 000). Twice as many cost nothing but time to fill, half would still be more than anyone writes.
const mostPlaceholders = 1000

const placeholders = /\{\{([^{}]*)\}\}/g
const onePlaceholder = /^\{\{([^{}]*)\}\}$/

/**
 * Why a template cannot be registered; null: nothing stands against it. One that is not JSON can: then the full payload is sent
 * (specification 6.4).
 */
export function templateProblem(template: string): string | null {
  if (template.length > limits.webhookTemplate) return `is longer than ${limits.webhookTemplate} characters`
  const count = template.match(placeholders)?.length ?? 0
  if (count > mostPlaceholders) return `has more than ${mostPlaceholders} placeholders`
  const json = jsonOf(template)
  return json === undefined ? null : memberProblem(json, 0)
}

/** A template that can be filled; undefined for one that is missing, not JSON, or such that none is registered. */
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
    const found = problem ?? memberProblem(member, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** Is told how many characters a placeholder adds, and ends the filling by an error when they are too many. */
export type Spend = (characters: number) => void

/**
 * A template with what its placeholders lead to in place of them (specification 6.4). One pass over its texts: neither what is put in nor
 * the name of a member is looked at again, and there are no expressions. What is put in is a value of the result, never a part of its JSON.
 */
export function filledTemplate(template: Json, context: JsonObject, spend: Spend): Json {
  const filled = (value: Json): Json => {
    if (typeof value === 'string') return filledText(value, context, spend)
    if (Array.isArray(value)) return value.map(filled)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member)]))
  }
  return filled(template)
}

/** The value itself for a text that is one placeholder, null when it leads nowhere; for every other text a text. */
function filledText(text: string, context: JsonObject, spend: Spend): Json {
  const whole = onePlaceholder.exec(text)
  if (whole) {
    const value = found(context, whole[1]) ?? null
    spend(JSON.stringify(value).length)
    return value
  }
  return text.replace(placeholders, (_placeholder, path: string) => {
    const part = textOf(found(context, path))
    spend(part.length)
    return part
  })
}

/** Spaces around a path do not count. */
function found(context: JsonObject, path = ''): Json | undefined {
  return lookUp(context, path.trim())
}

/**
 * A value within a text: texts as they are, lists and objects as JSON. Null and what is nowhere give nothing, as in Mustache
 * ("failed context lookups should default to empty strings"): 6.4 makes null of a text that is one placeholder, and says of the others
 * only that they stay texts, in which the word "null" would be read as a word.
 */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// Names of one path (TRUST S17): of groups that are lists, one in another, a template reaches into three.
const mostNames = 10

const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What a path in dot notation leads to: own members of plain objects by name, places of lists by number (`taxonomies.0.name`).
 * Undefined when it leads nowhere, is longer than 200 characters or has more than ten names; null is a value like any other.
 */
export function lookUp(value: Json, path: string): Json | undefined {
  if (path.length > limits.dotPath) return undefined
  const names = path.split('.')
  return names.length > mostNames ? undefined : names.reduce(memberOf, value)
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (isReservedName(name)) return undefined
  if (isJsonObject(value)) return isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) ? positionOf(value, name) : undefined
}

/** Only places as lists themselves spell them: `0`, not `00`. */
function positionOf(list: readonly Json[], name: string): Json | undefined {
  return Object.hasOwn(list, name) ? list[Number(name)] : undefined
}

/** Whether a name is one that code finds on objects that have no such member (TRUST S17). */
export function isReservedName(name: string): boolean {
  return reserved.has(name)
}

/** Whether an object is one that JSON gives. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
