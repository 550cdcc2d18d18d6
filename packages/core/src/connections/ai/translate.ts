import { QuireError, type AiTask } from '@quire/contract'
import { requireInLocales } from '../../content/items/locale-rights.ts'
import { codesBesideDefault } from '../../content/translations/list.ts'
import { textsIn } from '../../content/translations/stamps.ts'
import { writeTranslations } from '../../content/translations/write.ts'
import { typeOf } from '../../content/types/find.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { localesOf } from '../../engine/locales.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'

/** An item, and the locale that it is translated into. */
interface Translating {
  readonly head: Entity
  readonly locale: string
}

/**
 * The texts of an item whose translations are missing or outdated, by path; null if the repository
 * has no such locale. Errors: `invalid_state` if all are current.
 */
export async function untranslatedIn(
  call: Call,
  { head, locale }: Translating,
): Promise<Readonly<Record<string, string>> | null> {
  const locales = await localesOf(call, head.repositoryId)
  if (!locales || !codesBesideDefault(locales).includes(locale)) return null
  const texts = textsIn(await typeOf(call, head), head, locale)
  const due = texts.filter(({ state }) => state !== 'current')
  if (due.length === 0)
    throw new QuireError('invalid_state', `All texts of this item have a current translation into ${locale}.`)
  return Object.fromEntries(due.map(({ path, source }) => [path, source]))
}

/** What a caller asks a model for. */
interface Question {
  readonly scope: Scope
  readonly head: Entity
  readonly input: {
    readonly task: AiTask
    readonly language?: string | undefined
    readonly packageName?: string | undefined
  }
}

/** Saves the texts of a proposal, by path. Returns the version that has them. */
type SaveTranslation = (fields: Readonly<Record<string, string>>) => Promise<number>

/**
 * How a proposal is saved: a translation into a locale of the repository, in the package that the caller
 * named, for people to review. Null for what is not saved. A caller who may not save is refused before
 * the model is paid. Errors: those of `items.update`; `invalid` for a language that is no locale.
 */
export async function savingOf(
  call: Call,
  { scope, head, input }: Question,
): Promise<SaveTranslation | null> {
  const { task, language: locale, packageName } = input
  if (task !== 'translate' || packageName === undefined || locale === undefined) return null
  const locales = await localesOf(call, head.repositoryId)
  if (!locales) return null
  const codes = codesBesideDefault(locales)
  if (!codes.includes(locale))
    throw invalid([
      { path: 'language', message: `must be one of ${codes.join(', ')} to be saved in the package` },
    ])
  const target = { head, packageName, locale }
  await dryRun(call, (call) => writeTranslations(call, { ...target, values: new Map() }))
  const type = await typeOf(call, head)
  requireInLocales(call, 'items.update', { scope, type, locales: [locale] })
  return (fields) => {
    const values = new Map(Object.entries(fields).map(([path, text]) => [`fields.${path}`, text]))
    return writeTranslations(call, { ...target, values })
  }
}
