import { limits } from '@quire/contract'
import { isJsonObject, type Json } from '../../ports/index.ts'

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
