import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { LocaleCode } from '../locales/shapes.ts'

/** The state of a translation. */
export const TranslationState = z
  .enum(['missing', 'outdated', 'current'])
  .describe(
    '`missing`: the source has a value, the locale has none. `outdated`: the source differs from the one that the translation was made or last confirmed against. `current`: it is the same',
  )

/** The state of a translation. */
export type TranslationState = z.output<typeof TranslationState>

/** A translation of an item. */
const Translation = z.object({
  path: z.string().describe('The path of the localized value: `fields.title`, `fields.body.0.text`'),
  locale: LocaleCode,
  state: TranslationState,
})

/** An item with the states of its translations. */
export const TranslatedItem = z
  .object({
    id: Id,
    type: z.string().describe('The name of its content type'),
    name: z.string(),
    slug: z.string(),
    version: z.int().describe('The version that the states are of'),
    translations: z.array(Translation),
  })
  .meta({ id: 'TranslatedItem', description: 'An item with the states of its translations' })

/** Items by locale and state. */
export const TranslationCounts = z
  .record(
    z.string(),
    z.object({
      missing: z.int().describe('Items that lack a translation'),
      outdated: z.int().describe('Items with an outdated translation'),
      current: z.int().describe('Items with a current translation'),
    }),
  )
  .describe('The number of items in each state, by locale. An item can have translations in several states')

/** What an import of translations did, or would do. */
export const TranslationsReport = z
  .object({
    items: z.int().describe('Items that were changed'),
    translated: z.int().describe('Texts that were written'),
    confirmed: z.int().describe('Translations that stay, and are current now'),
    unchanged: z
      .int()
      .describe('Units without a translation, or with the one that the item has, that confirm nothing'),
    refuse: z.int().describe('Units that were not written'),
    refused: z
      .array(
        z.object({
          itemId: z.string(),
          path: z.string(),
          line: z.int().describe('The line of the file, from 1'),
          message: z.string(),
        }),
      )
      .describe('The first 1000 units that were not written, and why'),
  })
  .meta({ id: 'TranslationsReport', description: 'What an import of translations did, or would do' })

/** What an import of translations did, or would do. */
export type TranslationsReport = z.output<typeof TranslationsReport>
