import { z } from 'zod'
import { Id, Name } from '../../conventions.ts'

/** The tasks that language models can do for items. */
export const aiTasks = ['summarize', 'translate', 'suggest-categories', 'alt-text'] as const

/** A task for a language model. */
export type AiTask = (typeof aiTasks)[number]

/** A language model service that can be used. Its address and credentials are not shown. */
export const AiProvider = z
  .object({
    id: Id.describe('Id of the access configuration, for use in paths'),
    name: Name,
    model: z.string().nullable().describe('The default model of tasks; null: a task must name one'),
  })
  .meta({ id: 'AiProvider', description: 'A language model service that can be used' })

/** A provider, as returned. */
export type AiProvider = z.output<typeof AiProvider>

/** An existing category that a model suggests. */
const SuggestedCategory = z.object({ id: Id, name: z.string().describe('Name of the category') })

/** A proposal of a language model for an item. */
export const AiProposal = z
  .object({
    task: z.enum(aiTasks).describe('The task'),
    itemId: Id.describe('Id of the item'),
    version: z.int().describe('The version of the item that was sent to the model'),
    model: z.string().describe('The model that was used'),
    summary: z.string().optional().describe('For `summarize`'),
    altText: z.string().optional().describe('For `alt-text`'),
    name: z.string().optional().describe('For `translate`'),
    description: z.string().optional().describe('For `translate`'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'For `translate`: the texts of the custom fields, by name. In a locale of the repository: those of localized fields that are missing or outdated, by path such as `body.0.text`',
      ),
    savedVersion: z
      .int()
      .optional()
      .describe('For `translate` with `packageName`: the version in the package that has the texts'),
    categories: z.array(SuggestedCategory).optional().describe('For `suggest-categories`: the best first'),
  })
  .meta({ id: 'AiProposal', description: 'A proposal of a language model for an item' })

/** A proposal, as returned. */
export type AiProposal = z.output<typeof AiProposal>
