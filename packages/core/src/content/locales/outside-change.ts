import { innerFields, type ContentType, type Field } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { objectOr } from '../types/values.ts'
import { fieldsWithin, isByLocale } from './fields.ts'

/** A content before and after a change, as JSON, and the locales in which it may change. */
interface Change {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly codes: ReadonlySet<string>
}

/**
 * The path of the first change of a content outside some locales: of anything but localized values,
 * and of those of other locales. The blocks of a list are compared one by one, so that one more, one
 * less or another order is a change, too. Null if there is none. `type` is one of `typeInLocales`.
 */
export function outsideChange(
  type: Pick<ContentType, 'fields'>,
  { codes, ...change }: Change,
): string | null {
  return firstOf(change, ([name, old, next]) =>
    name === 'fields'
      ? inFields(type.fields, { path: name, old: objectOr(old), next: objectOr(next), codes })
      : name,
  )
}

interface Compared<T> {
  readonly path: string
  readonly old: T
  readonly next: T
  readonly codes: ReadonlySet<string>
}

type Member = readonly [name: string, old: Json, next: Json]

/** The first path for a member that differs. Null and absent are the same: neither is a value. */
function firstOf(
  { before, after }: Pick<Change, 'before' | 'after'>,
  pathOf: (member: Member) => string | null,
): string | null {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const member = [name, old.get(name) ?? null, next.get(name) ?? null] as const
    const path = isSame(member[1], member[2]) ? null : pathOf(member)
    if (path !== null) return path
  }
  return null
}

function inFields(fields: readonly Field[], { path, old, next, codes }: Compared<JsonObject>): string | null {
  return firstOf({ before: old, after: next }, ([name, oldValue, nextValue]) => {
    const field = fields.find((candidate) => candidate.name === name)
    const at = { path: `${path}.${name}`, old: oldValue, next: nextValue, codes }
    return field ? inField(field, at) : at.path
  })
}

function inField(field: Field, at: Compared<Json>): string | null {
  const { path, old, next, codes } = at
  if (isByLocale(field)) {
    if (!isObjectOrNull(old) || !isObjectOrNull(next)) return path
    const change = { before: objectOr(old), after: objectOr(next) }
    return firstOf(change, ([code]) => (codes.has(code) ? null : `${path}.${code}`))
  }
  if (innerFields(field).length === 0) return path
  if (!field.list) return inEntry(field, at)
  if (!Array.isArray(old) || !Array.isArray(next) || old.length !== next.length) return path
  const outside = next.map((entry: Json, index) =>
    inEntry(field, { path: `${path}.${index}`, old: old[index] ?? null, next: entry, codes }),
  )
  return outside.find((one) => one !== null) ?? null
}

/** The first path in a group, or in a block, whose type is a member that must stay the same. */
function inEntry(field: Field, { path, old, next, codes }: Compared<Json>): string | null {
  const known = next ?? old
  const fields = isJsonObject(known) && fieldsWithin(field, known)
  return fields && isObjectOrNull(old) && isObjectOrNull(next)
    ? inFields(fields, { path, old: objectOr(old), next: objectOr(next), codes })
    : isSame(old, next)
      ? null
      : path
}

function isObjectOrNull(value: Json): boolean {
  return value === null || isJsonObject(value)
}
