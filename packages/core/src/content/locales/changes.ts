import { innerFields, type ContentType, type Field } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { objectOr } from '../types/values.ts'
import { definitionOf, fieldsWithin, isByLocale } from './fields.ts'

/** A content before and after a change, as JSON. */
interface Sides {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** A difference of two contents: of a localized value, or of what all locales share (null). */
interface Difference {
  readonly path: string
  readonly locale: string | null
}

/**
 * The path of the first change of a content outside some locales: of anything but localized values,
 * and of those of other locales. The blocks of a list are compared one by one, so that one more, one
 * less or another order is a change, too. Null if there is none. `type` is one of `typeInLocales`.
 */
export function outsideChange(
  type: Pick<ContentType, 'fields'>,
  { codes, ...sides }: Sides & { readonly codes: ReadonlySet<string> },
): string | null {
  for (const { path, locale } of differences(type, sides))
    if (locale === null || !codes.has(locale)) return path
  return null
}

/**
 * The locales that a change of a content concerns: those whose values differ, or all if something differs
 * that they share. Undefined in a repository without locales, and if nothing differs.
 */
export function changedLocales(type: ContentType, sides: Sides): readonly string[] | undefined {
  const codes = definitionOf(type)?.locales.list.map(({ code }) => code)
  if (!codes) return undefined
  const changed = new Set<string>()
  for (const { locale } of differences(type, sides)) {
    if (locale === null) return codes
    changed.add(locale)
  }
  return changed.size === 0 ? undefined : codes.filter((code) => changed.has(code))
}

function* differences({ fields }: Pick<ContentType, 'fields'>, sides: Sides): Generator<Difference> {
  for (const [name, old, next] of membersThatDiffer(sides))
    if (name === 'fields') yield* inFields(fields, name, { before: objectOr(old), after: objectOr(next) })
    else yield shared(name)
}

function shared(path: string): Difference {
  return { path, locale: null }
}

type Member = readonly [name: string, old: Json, next: Json]

/** Null and absent are the same: neither is a value. */
function* membersThatDiffer({ before, after }: Sides): Generator<Member> {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const member = [name, old.get(name) ?? null, next.get(name) ?? null] as const
    if (!isSame(member[1], member[2])) yield member
  }
}

function* inFields(fields: readonly Field[], path: string, sides: Sides): Generator<Difference> {
  for (const [name, old, next] of membersThatDiffer(sides)) {
    const field = fields.find((candidate) => candidate.name === name)
    const at = { path: `${path}.${name}`, old, next }
    if (field) yield* inField(field, at)
    else yield shared(at.path)
  }
}

/** Two values that differ, and where they are. */
interface Values {
  readonly path: string
  readonly old: Json
  readonly next: Json
}

function* inField(field: Field, at: Values): Generator<Difference> {
  const { path, old, next } = at
  if (isByLocale(field)) {
    if (!isObjectOrNull(old) || !isObjectOrNull(next)) yield shared(path)
    const sides = { before: objectOr(old), after: objectOr(next) }
    for (const [code] of membersThatDiffer(sides)) yield { path: `${path}.${code}`, locale: code }
  } else if (innerFields(field).length === 0) yield shared(path)
  else if (!field.list) yield* inEntry(field, at)
  else if (!Array.isArray(old) || !Array.isArray(next) || old.length !== next.length) yield shared(path)
  else
    for (const [index, entry] of next.entries())
      yield* inEntry(field, { path: `${path}.${index}`, old: old[index] ?? null, next: entry })
}

/** In a group, or in a block, whose type is a member that must stay the same. */
function* inEntry(field: Field, { path, old, next }: Values): Generator<Difference> {
  if (isSame(old, next)) return
  const known = next ?? old
  const fields = isJsonObject(known) && fieldsWithin(field, known)
  if (fields && isObjectOrNull(old) && isObjectOrNull(next))
    yield* inFields(fields, path, { before: objectOr(old), after: objectOr(next) })
  else yield shared(path)
}

function isObjectOrNull(value: Json): boolean {
  return value === null || isJsonObject(value)
}
