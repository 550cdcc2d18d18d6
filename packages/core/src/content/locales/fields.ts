import {
  everyField,
  innerFields,
  mapInnerFields,
  type ContentType,
  type Field,
  type FieldOf,
  type Locales,
} from '@quire/contract'
import type { JsonObject } from '../../ports/index.ts'

const byLocale = Symbol('by locale')
const definition = Symbol('definition')

/**
 * In a repository with locales a localized field is stored as an object by locale. Everything that
 * works on stored values sees it as a group with one member for each locale. So checks, indexes,
 * merges, conflicts and references go down to one locale without code of their own.
 */
export type LocalizedField = FieldOf<'group'> & { readonly [byLocale]: true }

/** Whether a field of `typeInLocales` holds values by locale. */
export function isByLocale(field: Field): field is LocalizedField {
  return byLocale in field
}

/** How a type was defined, and the locales in which a repository stores its values. */
interface Definition {
  readonly type: ContentType
  readonly locales: Locales
}

/** The definition of a type of `typeInLocales`; null for a type in a repository without locales. */
export function definitionOf(
  type: Pick<ContentType, 'name'> & { readonly [definition]?: Definition },
): Definition | null {
  return type[definition] ?? null
}

const cached = new WeakMap<ContentType, WeakMap<Locales, ContentType>>()

/** A content type as a repository with these locales stores its values. */
export function typeInLocales<T extends ContentType>(type: T, locales: Locales): T {
  const ofType = cached.get(type) ?? new WeakMap<Locales, ContentType>()
  cached.set(type, ofType)
  const codes = locales.list.map(({ code }) => code)
  const fields = () => fieldsInLocales(type.fields, codes)
  const localized = ofType.get(locales) ?? { ...type, fields: fields(), [definition]: { type, locales } }
  ofType.set(locales, localized)
  // A type is mapped to a copy of itself with other fields.
  return localized as T
}

/** Fields as they are stored in these locales. */
export function fieldsInLocales(fields: readonly Field[], codes: readonly string[]): Field[] {
  return fields.map((field) =>
    field.localized
      ? localizedField(field, codes)
      : mapInnerFields(field, (inner) => fieldsInLocales(inner, codes)),
  )
}

function localizedField(field: Field, codes: readonly string[]): LocalizedField {
  const { localized: _localized, ...member } = field
  const { maxItems: _max, default: _default, ...outer } = member
  return {
    ...outer,
    [byLocale]: true,
    kind: 'group',
    list: false,
    required: false,
    unique: false,
    settings: { fields: codes.map((name) => ({ ...member, name })) },
  }
}

/**
 * The fields of an object in the value of a field: those of the group, or of the variant that its
 * `type` names. Null for an unknown variant, and for kinds without inner fields.
 */
export function fieldsWithin(field: Field, object: JsonObject): readonly Field[] | null {
  const found = innerFields(field).find(({ variant }) => variant === null || variant === object['type'])
  return found?.fields ?? null
}

/** Whether any of the fields is localized, at any depth. */
export function hasLocalized(fields: readonly Field[]): boolean {
  return everyField(fields).some(({ localized }) => localized === true)
}
