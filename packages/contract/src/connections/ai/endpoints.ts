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
  .describe('The model. Default: `model` of the access configuration')

const proxiedErrors = ['not_found', 'too_many_requests', 'upstream_failed', 'upstream_timeout'] as const

/** `dryRun` would change the meaning of the call, so it cannot be a member for the provider. */
const isProviders = [
  (input: object) => !('dryRun' in input),
  { path: ['dryRun'], message: 'cannot be sent to the provider' },
] satisfies Parameters<z.ZodObject['refine']>

const proxied =
  'Any other members that an OpenAI-compatible service accepts can be added to those below and are sent to it unchanged. Its response is returned unchanged, ' +
  'with its status; the header `Quire-Upstream-Status` marks it as the response of the upstream.'

/** Operations on language models, through any service with an OpenAI-compatible API. */
export const ai = {
  providers: endpoint({
    binding: 'GET /api/ai',
    summary: 'List language model services',
    permission: { key: 'ai.use', on: 'global' },
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
    description: `${proxied} With \`stream: true\` the response is a stream of events (Server-Sent Events).`,
    permission: { key: 'ai.use', on: 'global' },
    answer: 'proxied',
    input: z
      .object({
        accessId,
        model: Model,
        messages: z
          .array(z.record(z.string(), z.json()))
          .min(1)
          .max(1000)
          .describe('The conversation so far'),
        stream: z.boolean().nullable().optional().describe('Whether the response is streamed as events'),
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
    permission: { key: 'ai.use', on: 'global' },
    answer: 'proxied',
    input: z
      .object({
        accessId,
        model: Model,
        input: z
          .union([z.string(), z.array(z.json()).min(1).max(2048)])
          .describe('A text, a list of texts, or lists of tokens'),
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
    permission: { key: 'ai.use', on: 'global' },
    answer: 'proxied',
    input: z.strictObject({ accessId }),
    output: ProxiedOutput,
    errors: proxiedErrors,
    example: { input: { accessId: exampleId } },
  }),
  task: endpoint({
    binding: 'POST /api/ai/{accessId}/tasks/{task}',
    summary: 'Get a proposal of a language model for an item',
    description:
      'The model receives only what the caller may read of the item, and its answer is checked. Nothing is saved, so use the proposal to save the ' +
      'item yourself; except that `translate` into a locale of the repository with `packageName` saves the translation in that package, for people to review. ' +
      '`alt-text` is for pictures, which are sent to the model at medium size.',
    permission: { key: 'ai.use', on: 'repository' },
    asksOthers: true,
    input: z.strictObject({
      accessId,
      task: z.enum(aiTasks).describe('The task'),
      repositoryId: RepositoryRef,
      itemId: Id.describe('The item'),
      packageName: PackageName.optional(),
      model: Model,
      language: z
        .string()
        .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language tag such as de or pt-BR')
        .optional()
        .describe('Language of the proposal, as a tag: `de`, `pt-BR`. Required for `translate`'),
      taxonomyId: Id.optional().describe(
        'The taxonomy whose categories `suggest-categories` chooses from; required for it',
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
