import type { ContentType } from '@quire/contract'
import { localeView, type LocaleView } from '../../engine/locales.ts'
import type { IndexedValue, JsonObject } from '../../ports/index.ts'
import { comparableFields, indexedValues, rowsOf, type ComparableField } from '../types/derived.ts'
import { definitionOf, fieldsInLocales } from './fields.ts'
import { valuesIn } from './read.ts'

/**
 * The end of the path under which the index has the values that a locale shows, its own or those of
 * its fallbacks. Its own values are under the path itself.
 */
const fallbackPath = '~'

/** The fields that filters and sorts can use in a locale; null: in all of them, each by its path. */
export function comparableIn(type: ContentType, view: LocaleView | null): ComparableField[] {
  const defined = definitionOf(type)
  if (!defined) return comparableFields(type.fields)
  if (!view) return comparableFields(type.fields).map((field) => ({ ...field, name: field.path }))
  const fields = comparableFields(fieldsInLocales(defined.type.fields, [view.code]))
  return view.chain.length === 1 ? fields : fields.map(withFallbacks)
}

function withFallbacks(field: ComparableField): ComparableField {
  return field.name === field.path ? field : { ...field, path: `${field.path}${fallbackPath}` }
}

/** The values of an item to index for filters and sorts, in each locale. */
export function indexedIn(type: ContentType, stored: JsonObject): IndexedValue[] {
  const { locales } = definitionOf(type) ?? {}
  const views = locales?.list.map(({ code }) => localeView(locales, { code })) ?? []
  const fallbacks = views.filter(({ chain }) => chain.length > 1)
  return [
    ...indexedValues(type.fields, stored),
    ...fallbacks.flatMap((view) => {
      const { values } = valuesIn(type.fields, stored, view)
      const fields = comparableIn(type, view).filter(({ path }) => path.endsWith(fallbackPath))
      return fields.flatMap((field) => rowsOf(field, values, field.name))
    }),
  ]
}
