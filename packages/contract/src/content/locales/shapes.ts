import { z } from 'zod'
import { Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** Whether a text is a BCP 47 language tag in its canonical form. */
function isCanonical(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code)[0] === code
  } catch {
    return false
  }
}

/** The code of a locale. */
export const LocaleCode = z
  .string()
  .min(2)
  .max(limits.localeCode)
  .refine(isCanonical, 'must be a BCP 47 language tag in its canonical form, such as en, pt-BR or zh-Hant')
  .describe('A BCP 47 language tag in its canonical form: `en`, `pt-BR`, `zh-Hant`')

const Locale = z.strictObject({
  code: LocaleCode,
  name: Name.describe('The name of the language, for people'),
  fallback: LocaleCode.nullable()
    .default(null)
    .describe('The locale whose value is shown where this one has none; null: none'),
  direction: z.enum(['ltr', 'rtl']).default('ltr').describe('The direction of its script'),
})

/** The locales of a repository. */
export const Locales = z
  .strictObject({
    default: LocaleCode.describe('The locale of reads and writes that name none'),
    list: z
      .array(Locale)
      .min(1)
      .max(limits.locales)
      .describe('The locales, in the order in which people see them'),
  })
  .superRefine(({ default: first, list }, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const byCode = new Map(list.map((locale) => [locale.code, locale]))
    if (!byCode.has(first)) issue(['default'], `"${first}" is not in the list`)
    for (const [index, { code, fallback }] of list.entries()) {
      if (list.findIndex((other) => other.code === code) < index)
        issue(['list', index, 'code'], `"${code}" is in the list twice`)
      if (fallback === null) continue
      const path = ['list', index, 'fallback']
      if (!byCode.has(fallback)) issue(path, `"${fallback}" is not in the list`)
      else if (isCycle(byCode, code)) issue(path, `the fallbacks of "${code}" form a cycle`)
    }
  })
  .describe('The locales in which a repository has content')

/** Whether the fallbacks of a locale lead back to it. */
function isCycle(byCode: ReadonlyMap<string, { readonly fallback: string | null }>, code: string): boolean {
  const visited = new Set<string>()
  for (let next = byCode.get(code)?.fallback; next && !visited.has(next); next = byCode.get(next)?.fallback) {
    if (next === code) return true
    visited.add(next)
  }
  return false
}

/** The locales of a repository. */
export type Locales = z.output<typeof Locales>

/** The members that an item has in a repository with locales. */
export const localeMembers = {
  publications: z
    .record(z.string(), z.object({ version: z.int(), date: UnixMs }))
    .optional()
    .describe(
      'What is public in each locale: the version, and when it was published. Absent if nothing is, or the same in all locales',
    ),
  locale: z
    .string()
    .optional()
    .describe('The locale that was read; absent in a repository without locales and for `locale=*`'),
  fallbacks: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does',
    ),
}
