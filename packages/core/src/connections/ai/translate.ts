import { QuireError, type AiProposal, type AiTask } from '@quire/contract'
import { codesBesideDefault } from '../../content/translations/list.ts'
import { textsIn } from '../../content/translations/stamps.ts'
import { writeTranslations } from '../../content/translations/write.ts'
import { typeOf } from '../../content/types/find.ts'
import type { Call } from '../../engine/call.ts'
import { localesOf } from '../../engine/locales.ts'
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
  if (!(await isTranslated(call, { head, locale }))) return null
  const texts = textsIn(await typeOf(call, head), head, locale)
  const due = texts.filter(({ state }) => state !== 'current')
  if (due.length === 0)
    throw new QuireError('invalid_state', `All texts of this item have a current translation into ${locale}.`)
  return Object.fromEntries(due.map(({ path, source }) => [path, source]))
}

/** Whether a repository has translations into a locale. */
async function isTranslated(call: Call, { head, locale }: Translating): Promise<boolean> {
  const locales = await localesOf(call, head.repositoryId)
  return locales !== null && codesBesideDefault(locales).includes(locale)
}

/** What a caller has asked a model for, and its answer. */
interface Proposed {
  readonly head: Entity
  readonly input: {
    readonly task: AiTask
    readonly language?: string | undefined
    readonly packageName?: string | undefined
  }
  readonly proposal: Partial<AiProposal>
}

/**
 * Saves a translation into a locale of the repository in the package that the caller named, for people
 * to review. Errors: those of `items.update`.
 */
export async function savedTranslation(
  call: Call,
  { head, input, proposal }: Proposed,
): Promise<Pick<AiProposal, 'savedVersion'>> {
  const { task, language: locale, packageName } = input
  if (task !== 'translate' || packageName === undefined || locale === undefined) return {}
  if (!(await isTranslated(call, { head, locale }))) return {}
  const values = new Map(
    Object.entries(proposal.fields ?? {}).map(([path, text]) => [`fields.${path}`, text]),
  )
  return { savedVersion: await writeTranslations(call, { head, packageName, locale, values }) }
}
