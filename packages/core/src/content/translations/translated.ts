import { innerObjects, isEmpty, objectOr } from '../types/values.ts'
import type { ContentType, Field } from '@quire/contract'
import { definitionOf, isByLocale, type LocalizedField } from '../locales/fields.ts'
import type { Json, JsonObject } from '../../ports/index.ts'

/** The value of a field in one locale, beside that of the default locale, its source. */
export interface Translation {
  /** The path of the localized value: `fields.title`, `fields.body.0.text`. */
  readonly path: string
  readonly locale: string
  /** The field and the locale. Equal for the same field of all entries of a list. */
  readonly field: string
  /** The definition of the field, whose name is the locale. */
  readonly definition: Field
  readonly value: Json
  readonly source: Json
}

/**
 * The translations of an item into all locales or one, and those that are missing. What no locale has is
 * left out.
 */
export function translationsIn(type: ContentType, stored: JsonObject, locale?: string): Translation[] {
  const { locales } = definitionOf(type) ?? {}
  const at = { path: 'fields.', field: '', code: locales?.default ?? '', locale }
  return locales ? translationsOf(type.fields, stored, at) : []
}

/** Where values are, the code of the default locale, and the only locale to look at. */
interface Position {
  readonly path: string
  readonly field: string
  readonly code: string
  readonly locale: string | undefined
}

function translationsOf(fields: readonly Field[], values: JsonObject, at: Position): Translation[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    const here = { ...at, path: at.path + field.name, field: at.field + field.name }
    if (isByLocale(field)) return besideSource(field, objectOr(value), here)
    return innerObjects(field, value).flatMap(({ fields: inner, value: object, index }) => {
      const path = index === null ? `${here.path}.` : `${here.path}.${index}.`
      return translationsOf(inner, object, { ...at, path, field: `${here.field}.` })
    })
  })
}

function besideSource({ settings }: LocalizedField, byLocale: JsonObject, at: Position): Translation[] {
  const { path, field, code, locale } = at
  const source = byLocale[code] ?? null
  return settings.fields
    .filter(({ name }) => name !== code && (locale ?? name) === name)
    .map((definition) => ({
      path,
      locale: definition.name,
      field: `${field}.${definition.name}`,
      definition,
      value: byLocale[definition.name] ?? null,
      source,
    }))
    .filter(({ value }) => !isEmpty(value) || !isEmpty(source))
}
