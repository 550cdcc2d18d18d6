import type { Locales, Repository } from '@quire/contract'
import type { Call } from './call.ts'
import { invalid } from './check-input.ts'
import { checksum } from './digest.ts'

/** A locale, and those whose values it shows. */
export interface LocaleChain {
  readonly code: string
  /** The locales whose values are shown, in order: the locale itself, then its fallbacks. */
  readonly chain: readonly string[]
}

/** A locale in which content is read or written. */
export interface LocaleView extends LocaleChain {
  /** Names the chain in the entity tags of what is read in it. */
  readonly tag: string
}

/**
 * Notes the locales of a repository in which a call works. Errors: `invalid` if the call names a
 * locale that the repository does not have.
 */
export function openLocales(call: Call, repository: Repository): void {
  call.locales.set(repository.id, repository.settings.locales ?? null)
  if (!call.localeChoice) return
  const { locale, fallback } = call.localeChoice
  const problem = localeProblem(repository, locale)
  if (problem !== null)
    throw invalid([{ path: locale === undefined ? 'fallback' : 'locale', message: problem }])
  if (locale === '*' && fallback !== undefined)
    throw invalid([{ path: 'fallback', message: 'cannot be combined with locale=*, which has all values' }])
}

/** Why a repository has no content in a locale; null if it has. `*` are all; undefined is the default one. */
export function localeProblem({ name, settings }: Repository, locale: string | undefined): string | null {
  const codes = settings.locales?.list.map(({ code }) => code)
  if (!codes) return `the repository "${name}" has no locales`
  if (locale === undefined || locale === '*' || codes.includes(locale)) return null
  return `"${locale}" is not a locale of the repository "${name}": ${codes.join(', ')}`
}

/** The locales of a repository; null if it has none. A transaction reads them once. */
export async function localesOf(call: Call, repositoryId: string): Promise<Locales | null> {
  const known = call.locales.get(repositoryId)
  if (known !== undefined) return known
  const repository = await call.store.records.get('repository', repositoryId)
  const locales = repository?.settings.locales ?? null
  call.locales.set(repositoryId, locales)
  return locales
}

/** The locale in which a call reads a repository; null for the values of all locales. */
export function viewIn({ localeChoice }: Call, locales: Locales): LocaleView | null {
  const { locale = locales.default, fallback = true } = localeChoice ?? {}
  return locale === '*' ? null : localeView(locales, { code: locale, fallback })
}

interface Viewed {
  readonly code: string
  /** Default: true. */
  readonly fallback?: boolean
}

const knownViews = new WeakMap<Locales, Map<string, LocaleView>>()

/** A locale with its fallbacks. Each read needs one. */
export function localeView(locales: Locales, { code, fallback = true }: Viewed): LocaleView {
  let views = knownViews.get(locales)
  if (!views) knownViews.set(locales, (views = new Map<string, LocaleView>()))
  const key = fallback ? code : `${code} alone`
  let view = views.get(key)
  if (!view) views.set(key, (view = createView(locales, { code, fallback })))
  return view
}

function createView({ list }: Locales, { code, fallback }: Required<Viewed>): LocaleView {
  const chain = [code]
  const next = () => list.find((locale) => locale.code === chain.at(-1))?.fallback
  if (fallback) for (let after = next(); after; after = next()) chain.push(after)
  return { code, chain, tag: checksum(chain.join()) }
}
