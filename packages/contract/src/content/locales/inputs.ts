import { z } from 'zod'
import { limits } from '../../limits.ts'

const code = z.string().min(1).max(limits.localeCode)

/** The locale of a read. */
export const localeInput = {
  locale: code
    .optional()
    .describe(
      'Only in a repository with locales. The locale to read, or `*` for the values of all of them. Default: the default locale',
    ),
  fallback: z
    .boolean()
    .optional()
    .describe(
      '`false`: values that the locale does not have itself are left out. Default: those of its fallbacks',
    ),
}

/** The locale of a write. */
export const writtenLocale = code
  .optional()
  .describe(
    'Only in a repository with locales. The locale whose values are sent; those of others stay. `*`: localized values are objects by locale. Default: the default locale',
  )

/** The one locale of values that are no objects by locale. */
export const oneLocale = code
  .refine((text) => text !== '*', 'must be one locale')
  .optional()
  .describe('Only in a repository with locales. The locale of the values. Default: the default locale')
