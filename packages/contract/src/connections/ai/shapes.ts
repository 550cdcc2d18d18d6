import { z } from 'zod'
import { Id, Name } from '../../conventions.ts'

/** What language models are asked to do with items. */
export const aiTasks = ['summarize', 'translate', 'suggest-categories', 'alt-text'] as const

/** A task for a language model. */
export type AiTask = (typeof aiTasks)[number]

/** A language model's service that can be asked. Where it is, and what opens it, is not shown. */
export const AiProvider = z
  .object({
    id: Id.describe('The access configuration, as paths name it'),
    name: Name,
    model: z.string().nullable().describe('The model that tasks ask where they name none; null: they must'),
  })
  .meta({ id: 'AiProvider', description: 'A language model’s service that can be asked' })

/** A provider as answered. */
export type AiProvider = z.output<typeof AiProvider>

/** A category that a model found fitting: one of those that there are. */
const SuggestedCategory = z.object({ id: Id, name: z.string().describe('Its name') })

/** What a model proposes for an item. Nothing of it is saved. */
export const AiProposal = z
  .object({
    task: z.enum(aiTasks).describe('What was asked'),
    itemId: Id.describe('The item that it is for'),
    version: z.int().describe('The version of the item that the model was shown'),
    model: z.string().describe('The model that was asked'),
    summary: z.string().optional().describe('Of `summarize`'),
    altText: z.string().optional().describe('Of `alt-text`'),
    name: z.string().optional().describe('Of `translate`'),
    description: z.string().optional().describe('Of `translate`'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('Of `translate`: the texts of the item’s own fields, by name'),
    categories: z.array(SuggestedCategory).optional().describe('Of `suggest-categories`, the best first'),
  })
  .meta({ id: 'AiProposal', description: 'What a language model proposes for an item; nothing is saved' })

/** A proposal as answered. */
export type AiProposal = z.output<typeof AiProposal>
