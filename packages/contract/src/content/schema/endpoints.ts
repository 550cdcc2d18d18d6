import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Job } from '../../automation/queue/shapes.ts'
import { exampleDefinition, examplePlanJob, exampleSchema, exampleSchemaPlan } from './examples.ts'
import { schemaInput, SchemaPlan, TypeDefinition } from './shapes.ts'

/** Content types that are defined by code: `defineSchema`. */
export const schema = {
  get: endpoint({
    binding: 'GET /api/content/management/schema',
    summary: 'Read all content types as one schema',
    description:
      'All content types in the order of their names, without ids and dates: the same types are always the same JSON.',
    permission: { key: 'admin.types.view', on: 'global' },
    input: z.strictObject({}),
    output: z.object({ types: z.array(TypeDefinition) }),
    errors: [],
    example: { input: {}, output: { types: [exampleDefinition] } },
  }),
  plan: endpoint({
    binding: 'POST /api/content/management/schema/plan',
    withoutRoom: true,
    summary: 'Compare a schema with the content types',
    description:
      'Returns what `schema.apply` would do to the content types and to the items, and changes nothing.',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject(schemaInput),
    output: SchemaPlan,
    errors: [],
    example: { input: exampleSchema, output: exampleSchemaPlan },
  }),
  startPlan: endpoint({
    binding: 'POST /api/content/management/schema/startPlan',
    summary: 'Compare a schema with the content types in the background',
    description:
      'Queues a job and returns it: for changes that need every item to be read, of which a million take a minute. Its progress counts items. ' +
      'Once it has succeeded, `schema.plan` and `schema.apply` with the same `types` use its result for ten minutes, if no content type changes.',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject(schemaInput),
    output: Job,
    success: 202,
    errors: ['idempotency_mismatch'],
    example: { input: exampleSchema, output: examplePlanJob },
  }),
  apply: endpoint({
    binding: 'POST /api/content/management/schema/apply',
    summary: 'Make the content types as a schema says',
    description:
      'Creates, changes and renames the content types that the schema names, in one transaction: all or none. Other types stay, or are deleted with `prune`. ' +
      'With `planId` exactly that plan is applied, or nothing. A change that existing items do not fit needs `migrate: true`, as in `types.update`. ' +
      'Applying the same schema again changes nothing.',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject({
      ...schemaInput,
      planId: z.string().max(100).optional().describe('Apply only this plan'),
      migrate: z.boolean().default(false).describe('Convert the items that do not fit'),
    }),
    output: SchemaPlan,
    errors: [
      'plan_stale',
      'name_taken',
      'type_locked',
      'type_incompatible',
      'type_in_use',
      'idempotency_mismatch',
    ],
    example: {
      input: { ...exampleSchema, planId: exampleSchemaPlan.planId },
      output: { ...exampleSchemaPlan, applied: true },
    },
  }),
}
