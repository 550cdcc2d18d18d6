import type { ContentType } from '@quire/contract'
import { remember, type Call } from '../../engine/call.ts'
import { localesOf, localeView, viewIn, type LocaleView } from '../../engine/locales.ts'
import { isPublishedBranch } from '../../adapters/published.ts'
import type { Branch, SoughtSlug, StoredJson } from '../../ports/index.ts'
import { objectOr } from '../types/values.ts'
import { comparableIn } from './comparable.ts'
import { typeInLocales } from './fields.ts'

/**
 * The live item that a slug names on a branch, in the locale that the call reads: by its field
 * `settings.localizedSlug`, if its type has one and the locale shows a value of it, or else by the slug
 * that all locales share. A value of the locale itself comes before one by fallback.
 */
export async function itemBySlug(
  call: Call,
  branch: Branch,
  { slug, hasText }: Omit<SoughtSlug, 'kind'>,
): Promise<StoredJson | null> {
  const locales = await localesOf(call, branch.repositoryId)
  const view = locales && viewIn(call, locales)
  const types = view ? await typesWithSlugs(call) : []
  const { entities } = call.store
  if (!locales || !view || types.length === 0)
    return entities.getBySlug(branch, { kind: 'item', slug, hasText })
  const inLocales = types.map((type) => typeInLocales(type, locales))
  for (const own of [localeView(locales, { code: view.code, fallback: false }), view])
    for (const type of inLocales) {
      const head = await holderOf(call, branch, { type, view: own, slug })
      if (head) return head
    }
  const head = await entities.getBySlug(branch, { kind: 'item', slug })
  const type = inLocales.find(({ name }) => name === head?.type)
  return head && type && hasOwnSlug(head, type, view) ? null : head
}

function typesWithSlugs(call: Call): Promise<readonly ContentType[]> {
  return remember(call, 'types with localized slugs', async () => {
    const types = await call.store.records.list('type')
    return types.filter(({ settings }) => typeof settings.localizedSlug === 'string')
  })
}

async function holderOf(
  call: Call,
  branch: Branch,
  { type, view, slug }: { type: ContentType; view: LocaleView; slug: string },
): Promise<StoredJson | undefined> {
  const field = comparableIn(type, view).find(({ name }) => name === type.settings.localizedSlug)
  if (!field) return undefined
  const { entities } = await call.store.entities.list(branch, {
    kind: 'item',
    reader: { types: [type.name], roles: 'all' },
    filter: { field: { path: field.path, list: false }, op: 'eq', value: slug },
    archived: true,
    sort: [],
    limit: 1,
    count: false,
  })
  const [head] = entities
  // In a package, main's read roles apply too, which a list for all readers does not look at.
  if (!head || head.packageId === null || isPublishedBranch(head)) return head
  return (await call.store.entities.get(branch, 'item', head.id)) ?? undefined
}

/** Whether the locale shows a slug of an item's own, which then is not its shared one. */
function hasOwnSlug({ json }: StoredJson, { settings }: ContentType, { chain }: LocaleView): boolean {
  const { fields } = JSON.parse(json)
  const byLocale = objectOr(objectOr(fields)[settings.localizedSlug ?? ''])
  return chain.some((code) => typeof byLocale[code] === 'string')
}
