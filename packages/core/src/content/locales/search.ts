import type { ContentType } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { localesOf, localeView, viewIn } from '../../engine/locales.ts'
import type { JsonObject, Passage, TextQuery } from '../../ports/index.ts'
import { passagesOf } from '../types/derived.ts'
import { definitionOf } from './fields.ts'

/** The name under which a search in a locale finds the values that it shows from its fallbacks. */
function byFallback(code: string): string {
  return `${code}~`
}

/** The searchable texts of an item, each with the searches that find it. */
export function passagesIn(type: ContentType, stored: JsonObject): Iterable<Passage> {
  const { locales } = definitionOf(type) ?? {}
  if (!locales) return passagesOf(type.fields, stored)
  const views = locales.list.map(({ code }) => localeView(locales, { code }))
  return passagesOf(type.fields, stored, (code, codes) => [
    code,
    ...views
      .filter((view) => view.code !== code && view.chain.find((one) => codes.includes(one)) === code)
      .map((view) => byFallback(view.code)),
  ])
}

/** The names of the passages that a search in a repository looks in, beside those without locales. */
export async function searchedLocales(call: Call, repositoryId: string): Promise<readonly string[]> {
  const locales = await localesOf(call, repositoryId)
  if (!locales) return []
  const view = viewIn(call, locales)
  if (!view) return locales.list.map(({ code }) => code)
  return view.chain.length === 1 ? [view.code] : [view.code, byFallback(view.code)]
}

/**
 * The passages that a search looks in, with the paths that the caller knows: those of a localized
 * value name the locale only if the values of all locales are read.
 */
export function passagesSearched(
  call: Call,
  passages: readonly Passage[],
  { locales: searched = [] }: TextQuery,
): Passage[] {
  const isOfAll = call.localeChoice?.locale === '*'
  return passages.flatMap(({ locales, ...passage }): Passage[] => {
    if (!locales) return [passage]
    if (!locales.some((locale) => searched.includes(locale))) return []
    const [code = ''] = locales
    return [isOfAll ? passage : { ...passage, path: withoutLocale(passage.path, code) }]
  })
}

/** A path without the locale, which is the last part that equals its code. */
function withoutLocale(path: string, code: string): string {
  const parts = path.split('.')
  return parts.toSpliced(parts.lastIndexOf(code), 1).join('.')
}
