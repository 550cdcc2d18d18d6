import type { Issue, Locales, Page, Repository, Section, Site } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { localeView } from '../../engine/locales.ts'
import { objectOr } from '../../content/types/values.ts'
import type { JsonObject } from '../../ports/index.ts'

/** A locale in which a site is published. */
export interface SiteLocale {
  readonly code: string
  readonly name: string
  readonly direction: Locales['list'][number]['direction']
  /** The first segment of its addresses; empty for the locale without a prefix. */
  readonly prefix: string
  /**
   * The locale, then its fallbacks as far as the default one, whose names and slugs pages have, unless they
   * have a translation from before it was that.
   */
  readonly chain: readonly string[]
}

type WithLocales = Pick<Repository, 'settings'>

/**
 * The locales in which a site is published, the one without a prefix first: the default one if it is
 * among them. Empty in a repository without locales.
 */
export function siteLocales(
  { settings: { locales } }: WithLocales,
  site: Pick<Site, 'settings'>,
): SiteLocale[] {
  if (!locales) return []
  const chosen = chosenCodes(site.settings) ?? []
  const known = locales.list.filter(({ code }) => chosen.includes(code))
  const all = known.length > 0 ? known : locales.list.filter(({ code }) => code === locales.default)
  const main = all.find(({ code }) => code === locales.default) ?? all[0]
  return all
    .toSorted((a, b) => Number(b === main) - Number(a === main))
    .map(({ code, name, direction }) => ({
      code,
      name,
      direction,
      prefix: code === main?.code ? '' : code.toLowerCase(),
      chain: upToDefault(locales, localeView(locales, { code }).chain),
    }))
}

function upToDefault({ default: first }: Locales, chain: readonly string[]): readonly string[] {
  return chain.includes(first) ? chain.slice(0, chain.indexOf(first) + 1) : chain
}

function chosenCodes({ locales }: Site['settings']): readonly string[] | null {
  return Array.isArray(locales) ? locales : null
}

/** A section or page with the names, slugs and values that a locale shows. */
export function inSiteLocale<T extends Section | Page>(node: T, locale: SiteLocale | null): T {
  const { locales } = node
  if (!locales || !locale) return node
  const translations = locale.chain.flatMap((code) => locales[code] ?? [])
  // The first one that has a member is applied last.
  return translations.toReversed().reduce((before: T, one) => withTranslation(before, one), node)
}

function withTranslation<T extends Section | Page>(node: T, translation: object): T {
  const meta =
    'meta' in node && 'meta' in translation ? { meta: { ...node.meta, ...Object(translation.meta) } } : {}
  return { ...node, ...translation, ...meta }
}

/** A call that reads items as the pages of a locale show them. */
export function inLocale(call: Call, locale: SiteLocale | null): Call {
  return locale ? { ...call, localeChoice: { locale: locale.code, fallback: true } } : call
}

/** An input that can have translations of names and slugs. */
interface Translated {
  readonly locales?: Readonly<Record<string, object>> | undefined
}

/**
 * Errors: `invalid` for locales that the repository lacks, and for the default one. Those that are stored
 * may stay: they were others of the repository when they were.
 */
export function requireKnownLocales(
  { settings }: WithLocales,
  { locales }: Translated,
  stored: JsonObject = {},
): void {
  const known = [...othersOf(settings.locales), ...Object.keys(objectOr(stored['locales']))]
  const issues = Object.keys(locales ?? {}).flatMap((code): Issue[] =>
    known.includes(code) ? [] : [{ path: `locales.${code}`, message: messageOf(code, settings.locales) }],
  )
  if (issues.length > 0) throw invalid(issues)
}

function othersOf(locales: Locales | null | undefined): string[] {
  return (locales?.list ?? []).map(({ code }) => code).filter((code) => code !== locales?.default)
}

function messageOf(code: string, locales: Locales | null | undefined): string {
  if (!locales) return 'the repository has no locales'
  if (code === locales.default)
    return 'is the default locale: its name and slug are those of the page or section'
  return `is not a locale of the repository: ${othersOf(locales).join(', ')}`
}

/** Errors: `invalid` for `settings.locales` that are no list of locales of the repository. */
export function requireSiteLocales(repository: WithLocales, settings: Site['settings'] | undefined): void {
  const { locales: chosen } = settings ?? {}
  const { locales } = repository.settings
  // Without locales, the name has no meaning.
  if (chosen === undefined || !locales) return
  const path = 'settings.locales'
  const codes = locales.list.map(({ code }) => code)
  if (!Array.isArray(chosen))
    throw invalid([{ path, message: `must be a list of locales of the repository: ${codes.join(', ')}` }])
  const issues = chosen.flatMap((code, index): Issue[] =>
    codes.includes(code)
      ? []
      : [{ path: `${path}.${index}`, message: `is not a locale of the repository: ${codes.join(', ')}` }],
  )
  if (issues.length > 0) throw invalid(issues)
}
