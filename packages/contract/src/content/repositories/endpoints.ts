import { FetchOrigins, Pixels } from '../../files/assets/shapes.ts'
import { z } from 'zod'
import { Description, Id, KebabName, listInput, listOf, Name, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleUsage, noQuota, QuotaPatch, Usage } from '../../quota.ts'
import { Job } from '../../automation/queue/shapes.ts'
import { dryRun } from '../items/inputs.ts'
import { Locales } from '../locales/shapes.ts'
import { PreviewUrl } from './preview-url.ts'
import { Repository, RepositorySettings, StyleGuide } from './shapes.ts'

const exampleRepository: Repository = {
  id: 'REPO_01JB2Q3C7N9H2R4F6G8J0KMPXW',
  name: 'magazine',
  displayName: 'The Magazine',
  description: '',
  public: false,
  settings: {
    workflow: { enabled: false, defaultWorkflowId: null, autoMerge: false, publishOnMerge: false },
    allowedTypes: [],
    assets: { adHoc: true, maxWidth: 4000, maxHeight: 4000, fetchOrigins: [] },
    ai: { accessId: null },
    graphql: { public: false },
    quota: noQuota,
  },
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

/** Merge patch of the settings: members that are sent replace the old ones, objects are merged. */
const SettingsPatch = z
  .strictObject({
    workflow: z
      .strictObject({
        enabled: z.boolean().optional(),
        defaultWorkflowId: Id.nullable().optional(),
        autoMerge: z.boolean().optional(),
        publishOnMerge: z.boolean().optional(),
      })
      .optional(),
    allowedTypes: z.array(z.string().max(200)).max(1000).optional(),
    assets: z
      .strictObject({
        adHoc: z.boolean().optional(),
        maxWidth: Pixels.optional(),
        maxHeight: Pixels.optional(),
        fetchOrigins: FetchOrigins.optional(),
      })
      .optional(),
    ai: z.strictObject({ accessId: Id.nullable().optional() }).optional(),
    graphql: z.strictObject({ public: z.boolean().optional() }).optional(),
    quota: QuotaPatch.optional(),
    locales: Locales.nullable().optional().describe('All locales; null: none any more'),
    styleGuide: StyleGuide.nullable().optional().describe('The whole text; null: none any more'),
    previewUrl: PreviewUrl.nullable().optional().describe('The whole address; null: none any more'),
  })
  .describe('Settings to change; settings that are not sent stay as they are')

/** What other locales do to the items of a repository, or the job that does it. */
const LocalesChange = z
  .object({
    convert: z.int().nullable().describe('Items whose values are converted; null without `dryRun`'),
    lose: z.int().nullable().describe('Those of them that lose values; null without `dryRun`'),
    unpublish: z
      .int()
      .nullable()
      .describe('Items that are public in a locale that is removed; null without `dryRun`'),
    job: Job.nullable().describe('The job; null with `dryRun`, and if these are the locales already'),
  })
  .meta({ id: 'LocalesChange' })

export const repositories = {
  list: endpoint({
    binding: 'GET /api/content/management/repositories',
    summary: 'List the repositories you may see',
    permission: 'authenticated',
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(Repository),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleRepository] } },
  }),
  get: endpoint({
    binding: 'GET /api/content/management/repositories/{id}',
    summary: 'Read a repository',
    permission: 'authenticated',
    input: z.strictObject({ id: RepositoryRef }),
    output: Repository,
    errors: ['not_found'],
    example: { input: { id: 'magazine' }, output: exampleRepository },
  }),
  usage: endpoint({
    binding: 'GET /api/admin/repositories/{id}/usage',
    summary: 'Read how much a repository stores, and its quota',
    description: 'Counts everything, on main and in every package, even what you may not see.',
    permission: { key: 'admin.repositories.view', on: 'repository' },
    input: z.strictObject({ id: RepositoryRef }),
    output: Usage,
    errors: ['not_found'],
    example: { input: { id: 'magazine' }, output: exampleUsage },
  }),
  create: endpoint({
    binding: 'POST /api/admin/repositories',
    summary: 'Create a repository',
    permission: { key: 'admin.repositories.update', on: 'global' },
    input: z.strictObject({
      name: KebabName,
      displayName: Name.optional().describe('Default: the name'),
      description: Description.default(''),
      public: z.boolean().default(false).describe('Serve published content without a token'),
      settings: RepositorySettings.prefault({}),
    }),
    output: Repository,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: { input: { name: 'magazine', displayName: 'The Magazine' }, output: exampleRepository },
  }),
  update: endpoint({
    binding: 'PATCH /api/admin/repositories/{id}',
    withoutRoom: true,
    summary: 'Change a repository',
    permission: { key: 'admin.repositories.update', on: 'repository' },
    input: z.strictObject({
      id: RepositoryRef,
      name: KebabName.optional(),
      displayName: Name.optional(),
      description: Description.optional(),
      public: z.boolean().optional(),
      settings: SettingsPatch.optional(),
      migrate: z
        .boolean()
        .default(false)
        .describe('Convert the items whose localized values other `settings.locales` change'),
    }),
    output: Repository,
    errors: ['not_found', 'name_taken', 'precondition_failed', 'invalid_state'],
    example: {
      input: { id: 'magazine', displayName: 'Magazine' },
      output: { ...exampleRepository, displayName: 'Magazine' },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/admin/repositories/{id}',
    summary: 'Delete an empty repository',
    permission: { key: 'admin.repositories.update', on: 'repository' },
    input: z.strictObject({ id: RepositoryRef }),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'repository_in_use', 'precondition_failed'],
    example: { input: { id: 'magazine' } },
  }),
  setLocales: endpoint({
    binding: 'POST /api/admin/repositories/{id}/locales',
    summary: 'Change the locales of a repository in the background',
    description:
      'Queues a job that changes the locales and converts the items, all or nothing, with the rights that you have when it runs. ' +
      'It fails if somebody else has changed the locales since. Writes to the repository wait while it converts, about a thousand items a second. ' +
      'With `dryRun` there is no job: the answer is how many items would be converted. That reads all of them, 100 000 in ten seconds.',
    permission: { key: 'admin.repositories.update', on: 'repository' },
    input: z.strictObject({
      id: RepositoryRef,
      locales: Locales.nullable().describe('All locales; null: none any more'),
      dryRun,
    }),
    output: LocalesChange,
    plansItself: true,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: {
      input: {
        id: 'magazine',
        locales: { default: 'en', list: [{ code: 'en', name: 'English' }] },
        dryRun: true,
      },
      output: { convert: 1200, lose: 0, unpublish: 0, job: null },
    },
  }),
}
