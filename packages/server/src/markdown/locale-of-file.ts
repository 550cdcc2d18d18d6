import type { ContentType, Locales } from '@quire/contract'
import { textOf, type SourceFile } from './draft.ts'
import { FileProblem } from './file-problem.ts'

/** What says in which locale a file is. */
export interface LocaleRules {
  readonly type: ContentType
  readonly locales: Locales
}

/** A file in a locale. Files with the same key, or else with the same slug, are one document. */
export interface LocaleFile extends SourceFile {
  readonly locale: string
  readonly key: string
}

/**
 * Reads the locale from the front matter (`locale` or `lang`), or else from the path, and what
 * identifies the document (`translationKey`, or else the path without the locale). Keys that are
 * fields of the type are fields. Errors: FileProblem.
 */
export function localeFile({ path, content }: SourceFile, { type, locales }: LocaleRules): LocaleFile {
  const keys = ['locale', 'lang', 'translationKey'].filter(
    (key) => !type.fields.some(({ name }) => name === key),
  )
  const given = (key: string) => (keys.includes(key) ? content.entries.get(key) : undefined)
  const { locale: ofPath, documentPath } = localeOfPath(path, locales)
  const entry = given('locale') ?? given('lang')
  const locale = textOf(entry) ?? ofPath
  if (!hasLocale(locales, locale)) {
    const known = locales.list.map(({ code }) => code).join(', ')
    throw new FileProblem(
      entry?.line ?? 1,
      `"${locale}" is not a locale of the repository, which has ${known}`,
    )
  }
  const translationKey = textOf(given('translationKey'))
  const entries = new Map([...content.entries].filter(([key]) => !keys.includes(key)))
  return {
    path,
    content: { ...content, entries },
    locale,
    documentPath,
    key: translationKey === undefined ? pathKey(documentPath) : `translationKey ${translationKey}`,
  }
}

/** The key of a file whose front matter gives none. */
export function pathKey(documentPath: string): string {
  return `path ${documentPath.replace(/\.[^./]+$/, '')}`
}

/**
 * The locale in a path, and the path without it: of `hello.de.md`, or else of the outermost folder
 * that is a locale. Without either it is the default locale.
 */
export function localeOfPath(
  path: string,
  locales: Locales,
): { readonly locale: string; readonly documentPath: string } {
  const [, stem = '', suffix = '', extension = ''] = /^(.*[^/])\.([^./]+)(\.[^./]+)$/.exec(path) ?? []
  if (hasLocale(locales, suffix)) return { locale: suffix, documentPath: stem + extension }
  const names = path.split('/')
  const index = names.slice(0, -1).findIndex((name) => hasLocale(locales, name))
  const locale = names[index] ?? locales.default
  return { locale, documentPath: names.filter((_name, at) => at !== index).join('/') }
}

function hasLocale({ list }: Locales, locale: string): boolean {
  return list.some(({ code }) => code === locale)
}
