import type { Item } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn, type LocaleView } from '../../engine/locales.ts'
import { typeOf } from '../types/find.ts'
import { valuesIn } from './read.ts'

/**
 * The JSON texts of items of a repository, in the locale that the call reads. In a repository
 * without locales, and for all locales, they stay as they are stored.
 */
export async function textsInLocale(
  call: Call,
  repositoryId: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const locales = await localesOf(call, repositoryId)
  const view = locales && viewIn(call, locales)
  return view ? Promise.all(texts.map((text) => textInLocale(call, text, view))) : texts
}

async function textInLocale(call: Call, text: string, view: LocaleView): Promise<string> {
  const item: Item = JSON.parse(text)
  const { fields } = await typeOf(call, item)
  const { values, fallbacks } = valuesIn(fields, item.fields, view)
  const isWhole = Object.keys(fallbacks).length === 0
  return JSON.stringify({ ...item, fields: values, locale: view.code, ...(!isWhole && { fallbacks }) })
}
