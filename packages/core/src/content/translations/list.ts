import type { Contract, Locales, OutputOf, ParsedOf, TranslationState } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { localesOf } from '../../engine/locales.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import { translationsPath, type Entity, type EntityQuery, type Filter } from '../../ports/index.ts'
import { entityQueryOf, listPage } from '../items/listing.ts'
import { typeOf } from '../types/find.ts'
import { statesIn, type StatedTranslation } from './stamps.ts'

type List = Contract['translations']['list']
type TranslatedItem = OutputOf<List>['items'][number]

const states = ['missing', 'outdated', 'current'] as const satisfies readonly TranslationState[]

const field = { path: translationsPath, list: true } as const

/**
 * Lists items by the state of their translations. Errors: `not_found`; `invalid` for a locale that
 * has no translations, and in a repository without locales.
 */
export async function listTranslations(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const { locale, state = states, type, limit, cursor, skipCount, ...ref } = input
  const scope = await findScope(call, ref)
  const codes = await translatedLocales(call, scope, locale)
  const value = codes.flatMap((code) => state.map((one) => `${code}:${one}`))
  const always: Filter = { field, op: 'in', value }
  const listing = { scope, input: { type, limit, cursor, skipCount, sort: 'name' }, always }
  const query = await entityQueryOf(call, listing)
  const { page, nextCursor } = await listPage(call, listing, query)
  const ids = page.entities.map(({ id }) => id)
  const heads = await call.store.entities.getMany(scope.branch, 'item', ids)
  const byId = new Map(heads.map((head) => [head.id, head]))
  const items: TranslatedItem[] = []
  const isWanted = (one: StatedTranslation) => codes.includes(one.locale) && state.includes(one.state)
  const yieldToLoop = yieldingToLoop()
  for (const id of ids) {
    await yieldToLoop()
    const head = byId.get(id)
    if (head) items.push(await translatedItem(call, head, isWanted))
  }
  return {
    ...(page.count !== undefined && {
      count: page.count,
      counts: await countsOf(call, scope, { query, codes }),
    }),
    items,
    ...(nextCursor && { nextCursor }),
  }
}

/** An item with those of its translations that are wanted. */
export async function translatedItem(
  call: Call,
  head: Entity,
  isWanted: (translation: StatedTranslation) => boolean,
): Promise<TranslatedItem> {
  const { id, type, name, slug, version } = head
  const translations = statesIn(await typeOf(call, head), head)
    .filter(isWanted)
    .map(({ path, locale, state }) => ({ path, locale, state }))
  return { id, type, name, slug: slug ?? '', version, translations }
}

/** The locales of a repository that have translations, or the one of them that was asked for. */
export async function translatedLocales(
  call: Call,
  { repository: { id, name } }: Scope,
  locale: string | undefined,
): Promise<readonly string[]> {
  const locales = await localesOf(call, id)
  if (!locales) throw invalid([{ path: 'configId', message: `the repository "${name}" has no locales` }])
  const codes = codesBesideDefault(locales)
  if (locale === undefined) return codes
  if (codes.includes(locale)) return [locale]
  const message =
    locale === locales.default
      ? `"${locale}" is the default locale, whose values are the sources`
      : `"${locale}" is not a locale of the repository "${name}": ${codes.join(', ')}`
  throw invalid([{ path: 'locale', message }])
}

function codesBesideDefault({ list, default: first }: Locales): string[] {
  return list.map(({ code }) => code).filter((code) => code !== first)
}

/** The number of items in each state, whatever states the page shows. */
async function countsOf(
  call: Call,
  { branch }: Scope,
  { query, codes }: { query: EntityQuery; codes: readonly string[] },
): Promise<OutputOf<List>['counts']> {
  const { kind, reader, archived } = query
  const value = codes.flatMap((code) => states.map((state) => `${code}:${state}`))
  const [counted = []] = await call.store.entities.facets(branch, {
    kind,
    reader,
    archived,
    ...(query.filter && { filter: ofAllStates(query.filter, value) }),
    fields: [field],
    limit: 1000,
  })
  const counts = new Map(counted.map((one) => [one.value, one.count]))
  return Object.fromEntries(
    codes.map((code) => {
      const count = (state: TranslationState) => counts.get(`${code}:${state}`) ?? 0
      return [code, { missing: count('missing'), outdated: count('outdated'), current: count('current') }]
    }),
  )
}

/** The filter of a list with other states. */
function ofAllStates(filter: Filter, value: readonly string[]): Filter {
  const others = 'all' in filter ? filter.all.filter((one) => !('field' in one && one.field === field)) : []
  return { all: [...others, { field, op: 'in', value }] }
}
