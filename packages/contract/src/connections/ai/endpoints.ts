import { z } from 'zod'
import { Id, listInput, listOf, PackageName, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { ProxiedOutput } from '../../proxied.ts'
import { AiProposal, AiProvider, aiTasks } from './shapes.ts'

const accessId = Id.describe('The access configuration of type `openai`')
const exampleId = 'ACCS_01JB2QJ5H7K9M1N3P5R7T9V1X3'
const Model = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The model; without it the configuration’s `model`')

const proxiedErrors = ['not_found', 'too_many_requests', 'upstream_failed', 'upstream_timeout'] as const

/** A member that would mean something else to a call: no provider can have one of such a name. */
const isProviders = [
  (input: object) => !('dryRun' in input),
  { path: ['dryRun'], message: 'is not a member that is passed on' },
] satisfies Parameters<z.ZodObject['refine']>

const proxied =
  'Whatever else an OpenAI-compatible service takes stands beside the members below and is passed on as it is. What it answers comes back as it comes, ' +
  'with its status, of which `Quire-Upstream-Status` says that it is the upstream’s.'

/** Language models, by any service that speaks as OpenAI does. */
export const ai = {
  providers: endpoint({
    binding: 'GET /api/ai',
    summary: 'List language model services',
    permission: 'ai.use',
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(AiProvider),
    errors: [],
    example: {
      input: {},
      output: { count: 1, items: [{ id: exampleId, name: 'Language model', model: 'gpt-4o-mini' }] },
    },
  }),
  chat: endpoint({
    binding: 'POST /api/ai/{accessId}/chat/completions',
    summary: 'Ask a language model',
    description: `${proxied} With \`stream: true\` these are events (Server-Sent Events).`,
    permission: 'ai.use',
    answer: 'passed',
    input: z
      .object({
        accessId,
        model: Model,
        messages: z.array(z.record(z.string(), z.json())).min(1).max(1000).describe('What was said so far'),
        stream: z
          .boolean()
          .nullable()
          .optional()
          .describe('Whether the answer comes piece by piece, as events'),
      })
      .catchall(z.json())
      .refine(...isProviders),
    output: ProxiedOutput,
    errors: proxiedErrors,
    example: {
      input: {
        accessId: exampleId,
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'What is oak gall ink?' }],
      },
    },
  }),
  embeddings: endpoint({
    binding: 'POST /api/ai/{accessId}/embeddings',
    summary: 'Turn texts into vectors',
    description: proxied,
    permission: 'ai.use',
    answer: 'passed',
    input: z
      .object({
        accessId,
        model: Model,
        input: z
          .union([z.string(), z.array(z.json()).min(1).max(2048)])
          .describe('A text, several, or lists of tokens'),
      })
      .catchall(z.json())
      .refine(...isProviders),
    output: ProxiedOutput,
    errors: proxiedErrors,
    example: { input: { accessId: exampleId, model: 'text-embedding-3-small', input: 'Oak gall ink' } },
  }),
  models: endpoint({
    binding: 'GET /api/ai/{accessId}/models',
    summary: 'List the models of a service',
    permission: 'ai.use',
    answer: 'passed',
    input: z.strictObject({ accessId }),
    output: ProxiedOutput,
    errors: proxiedErrors,
    example: { input: { accessId: exampleId } },
  }),
  task: endpoint({
    binding: 'POST /api/ai/{accessId}/tasks/{task}',
    summary: 'Let a language model propose something for an item',
    description:
      'The model is shown what the caller may read of the item and nothing else, and its answer is checked. Nothing is saved: a proposal is what a save ' +
      'can be made of. `alt-text` is of pictures, which the model is shown at medium size.',
    permission: 'ai.use',
    asksOthers: true,
    input: z.strictObject({
      accessId,
      task: z.enum(aiTasks).describe('What is asked'),
      repositoryId: RepositoryRef,
      itemId: Id.describe('The item'),
      packageName: PackageName.optional(),
      model: Model,
      language: z
        .string()
        .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language tag such as de or pt-BR')
        .optional()
        .describe('The language to answer in, as a tag: `de`, `pt-BR`. `translate` needs it'),
      taxonomyId: Id.optional().describe(
        'The taxonomy whose categories `suggest-categories` chooses from: it needs it',
      ),
    }),
    output: AiProposal,
    errors: [...proxiedErrors, 'too_large', 'invalid_state'],
    example: {
      input: {
        accessId: exampleId,
        task: 'summarize',
        repositoryId: 'magazine',
        itemId: 'CONT_01JB2QJ5H7K9M1N3P5R7T9V1X3',
      },
      output: {
        task: 'summarize',
        itemId: 'CONT_01JB2QJ5H7K9M1N3P5R7T9V1X3',
        version: 3,
        model: 'gpt-4o-mini',
        summary: 'How oak galls became the ink that outlived its paper.',
      },
    },
  }),
}
