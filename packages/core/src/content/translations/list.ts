import type { Contract, Locales, OutputOf, ParsedOf, TranslationState } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { localesOf } from '../../engine/locales.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import { translationsPath, type Entity, type Filter } from '../../ports/index.ts'
import { entityQueryOf, pageOn, type Listing } from '../items/listing.ts'
import { typeOf } from '../types/find.ts'
import { statesIn, type StatedTranslation } from './stamps.ts'

type List = Contract['translations']['list']
type TranslatedItem = OutputOf<List>['items'][number]

const states = ['missing', 'outdated', 'current'] as const satisfies readonly TranslationState[]

// Of one page. An item can have thousands, and what is missing takes no bytes of it.
const mostTranslations = 20_000

const field = { path: translationsPath, list: true } as const

/** A list of items by the locales and states of their translations. */
interface TranslationList {
  readonly scope: Scope
  readonly codes: readonly string[]
  readonly state: readonly TranslationState[]
  readonly input: Pick<ParsedOf<List>, 'type' | 'itemId' | 'limit' | 'cursor' | 'skipCount'>
}

/**
 * Lists items by the state of their translations. Errors: `not_found`; `invalid` for a locale that
 * has no translations, and in a repository without locales.
 */
export async function listTranslations(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const { locale, state = states, type, itemId, limit, cursor, skipCount, ...ref } = input
  const scope = await findScope(call, ref)
  const { codes } = await translatedLocales(call, scope, locale)
  const list = { scope, codes, state, input: { type, itemId, limit, cursor, skipCount } }
  const page = await pageOfTranslated(call, list)
  const isWanted = (one: StatedTranslation) => state.includes(one.state)
  const yieldToLoop = yieldingToLoop()
  const items: TranslatedItem[] = []
  let left = mostTranslations
  for (const head of page.heads) {
    await yieldToLoop()
    const item = await translatedItem(call, head, { locale, isWanted })
    left -= item.translations.length
    if (left < 0 && items.length > 0) break
    items.push(item)
  }
  const shorter = { ...list, input: { ...list.input, limit: items.length } }
  const isWhole = items.length === page.heads.length
  const { nextCursor } = isWhole ? page : await pageOfTranslated(call, shorter)
  const { count } = page
  return {
    ...(count !== undefined && { count, counts: await countsOf(call, list) }),
    items,
    ...(nextCursor && { nextCursor }),
  }
}

/** A page of the items that have a translation in one of the states, by name. Errors: `invalid`. */
export async function pageOfTranslated(
  call: Call,
  list: TranslationList,
): Promise<{ heads: readonly Entity[]; count?: number | undefined; nextCursor?: string | undefined }> {
  const { branch } = list.scope
  const listing = listingOf(list)
  const { page, nextCursor } = await pageOn(call, listing)
  const ids = page.entities.map(({ id }) => id)
  const heads = await call.store.entities.getMany(branch, 'item', ids)
  const byId = new Map(heads.map((head) => [head.id, head]))
  return { heads: ids.flatMap((id) => byId.get(id) ?? []), count: page.count, nextCursor }
}

function listingOf({ scope, codes, state, input: { itemId, ...input } }: TranslationList): Listing {
  const value = codes.flatMap((code) => state.map((one) => `${code}:${one}`))
  const isInState: Filter = { field, op: 'in', value }
  const isItem: Filter[] = itemId === undefined ? [] : [{ field: { member: 'id' }, op: 'eq', value: itemId }]
  return { scope, input: { ...input, sort: 'name' }, always: { all: [isInState, ...isItem] } }
}

/** Which translations are asked for: into all locales or one, and of these. */
interface Choice {
  readonly locale: string | undefined
  readonly isWanted: (translation: StatedTranslation) => boolean
}

/** An item with those of its translations that are asked for. */
export async function translatedItem(
  call: Call,
  head: Entity,
  { locale, isWanted }: Choice,
): Promise<TranslatedItem> {
  const { id, type, name, slug, version } = head
  const translations = statesIn(await typeOf(call, head), head, locale)
    .filter(isWanted)
    .map(({ path, locale, state }) => ({ path, locale, state }))
  return { id, type, name, slug: slug ?? '', version, translations }
}

/** The default locale of a repository, and those that are translated. */
interface TranslatedLocales {
  readonly source: string
  /** All others, or the one of them that was asked for. */
  readonly codes: readonly string[]
}

/** The locales that a caller works with. Errors: `invalid` if there is none. */
export async function translatedLocales(
  call: Call,
  { repository: { id, name } }: Scope,
  locale: string | undefined,
): Promise<TranslatedLocales> {
  const locales = await localesOf(call, id)
  if (!locales) throw invalid([{ path: 'configId', message: `the repository "${name}" has no locales` }])
  const source = locales.default
  const codes = codesBesideDefault(locales)
  if (locale === undefined) return { source, codes }
  if (codes.includes(locale)) return { source, codes: [locale] }
  const message =
    locale === source
      ? `"${locale}" is the default locale, whose values are the sources`
      : `"${locale}" is not a locale of the repository "${name}": ${codes.join(', ')}`
  throw invalid([{ path: 'locale', message }])
}

/** The codes of the locales that have translations: all but the default one. */
export function codesBesideDefault({ list, default: source }: Locales): string[] {
  return list.map(({ code }) => code).filter((code) => code !== source)
}

/** The number of items in each state, whatever states the page shows. */
async function countsOf(call: Call, list: TranslationList): Promise<OutputOf<List>['counts']> {
  const listing = listingOf({ ...list, state: states })
  const { kind, reader, archived, filter } = await entityQueryOf(call, listing)
  const [counted = []] = await call.store.entities.facets(list.scope.branch, {
    kind,
    reader,
    archived,
    ...(filter && { filter }),
    fields: [field],
    limit: 1000,
  })
  const counts = new Map(counted.map((one) => [one.value, one.count]))
  return Object.fromEntries(
    list.codes.map((code) => {
      const count = (state: TranslationState) => counts.get(`${code}:${state}`) ?? 0
      return [code, { missing: count('missing'), outdated: count('outdated'), current: count('current') }]
    }),
  )
}
