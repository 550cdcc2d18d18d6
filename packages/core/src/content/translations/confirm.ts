import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireOpen } from '../../engine/scope.ts'
import { requireDirectSave } from '../items/check.ts'
import { contentOf } from '../items/content.ts'
import type { ItemTarget } from '../items/find.ts'
import { requireInLocales } from '../items/locale-rights.ts'
import { setItemState } from '../items/save.ts'
import { formToStore } from '../locales/form.ts'
import { typeOf } from '../types/find.ts'
import { translatedItem, translatedLocales } from './list.ts'
import { confirmedStamps, statesIn, type StatedTranslation } from './stamps.ts'

type Confirm = Contract['translations']['confirm']

/**
 * Notes that translations of an item are right for their present sources. Makes no version. Errors:
 * `not_found`, `forbidden`; `invalid` for a locale or a path without a translation;
 * `version_conflict` if the item has changed since `baseVersion`; `auto_package_required`.
 */
export async function confirmTranslations(
  call: WriteCall,
  { locale, paths, baseVersion }: ParsedOf<Confirm>,
  { scope, item }: ItemTarget,
): Promise<OutputOf<Confirm>> {
  requireOpen(scope.package)
  await translatedLocales(call, scope, locale)
  const type = await typeOf(call, item)
  requireInLocales(call, 'items.update', { scope, type, locales: [locale] })
  if (baseVersion !== undefined && baseVersion !== item.version)
    throw new QuireError(
      'version_conflict',
      `The item has version ${item.version} by now: look at its translations again.`,
    )
  const translated = statesIn(type, item, locale).filter(({ state }) => state !== 'missing')
  requireTranslated(paths, translated)
  const named = translated.filter(({ path }) => paths?.includes(path) ?? true)
  const namedPaths = new Set(named.map(({ path }) => path))
  const choice = { locale, isWanted: ({ path }: StatedTranslation) => namedPaths.has(path) }
  if (named.every(({ state }) => state === 'current')) return translatedItem(call, item, choice)
  await requireDirectSave(call.store, { scope, type, previous: item, content: contentOf(item) })
  const translations = confirmedStamps(type, item, { translations: named, now: call.now })
  const head = await setItemState(call, {
    scope,
    previous: item,
    event: 'ITEM_UPDATED',
    // Stamps are about the default locale, which can have changed since the item was saved.
    state: { body: { ...item.body, translations, ...formToStore(type) } },
    details: { confirmed: named.map(({ path }) => path), locales: [locale] },
  })
  return translatedItem(call, head, choice)
}

/** Errors: `invalid` naming the paths that have no translation. */
function requireTranslated(
  paths: readonly string[] | undefined,
  translated: readonly StatedTranslation[],
): void {
  const issues = (paths ?? []).flatMap((path, index) =>
    translated.some((one) => one.path === path)
      ? []
      : [{ path: `paths.${index}`, message: `"${path}" has no translation in this locale` }],
  )
  if (issues.length > 0) throw invalid(issues)
}
