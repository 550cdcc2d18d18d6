import { z } from 'zod'
import { Description, Id, RepositoryRef, UnixMs } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleItem } from '../../content/items/examples.ts'
import { dryRun } from '../../content/items/inputs.ts'
import { exampleChange, examplePackage, examplePackagePath, exampleReport } from './examples.ts'
import { mergeInput, onPackage } from './inputs.ts'
import { MergeReport, NewPackageName, Package, PackageChange } from './shapes.ts'

/** What changes packages. */
export const packageWrites = {
  create: endpoint({
    binding: 'POST /api/content/management/packages/{repo}',
    summary: 'Create a package',
    description:
      'It holds nothing yet and shows main. Write to it through `packageName` of the item operations.',
    permission: 'packages.create',
    input: z.strictObject({
      repo: RepositoryRef,
      name: NewPackageName,
      description: Description.default(''),
    }),
    output: Package,
    success: 201,
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: {
      input: { repo: 'magazine', name: examplePackage.name, description: examplePackage.description },
      output: examplePackage,
    },
  }),
  update: endpoint({
    binding: 'PATCH /api/content/management/packages/{repo}/{packageName}',
    summary: 'Change the description of a package',
    description: 'Its name stands in addresses and in what it holds: it stays.',
    permission: 'packages.update',
    input: z.strictObject({ ...onPackage, description: Description.optional() }),
    output: Package,
    errors: ['not_found', 'precondition_failed'],
    example: {
      input: { ...examplePackagePath, description: examplePackage.description },
      output: examplePackage,
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/content/management/packages/{repo}/{packageName}',
    summary: 'Delete a package with all it holds',
    description:
      'Main stays as it is. The record stays as a tombstone, in state `deleted`; the name is free again.',
    permission: 'packages.delete',
    input: z.strictObject({ ...onPackage, dryRun }),
    output: z.object({ deleted: Package, changes: z.int().describe('Changes that go with it') }).optional(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: examplePackagePath },
  }),
  addItem: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/items',
    summary: 'Take an item along untouched',
    description:
      'Pins it: what main does to it afterwards does not show in the package. Taking it twice changes nothing.',
    permission: 'packages.update',
    input: z.strictObject({ ...onPackage, id: Id.describe('The item') }),
    output: PackageChange,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { ...examplePackagePath, id: exampleItem.id },
      output: { ...exampleChange, kind: 'none', mainVersion: 2, mainMoved: false },
    },
  }),
  removeChange: endpoint({
    binding: 'DELETE /api/content/management/packages/{repo}/{packageName}/changes/{entityId}',
    summary: 'Drop what a package does to one entity',
    description: 'The package then shows it as main has it.',
    permission: 'packages.update',
    input: z.strictObject({ ...onPackage, entityId: Id.describe('The changed entity'), dryRun }),
    output: PackageChange.optional(),
    success: 204,
    errors: ['not_found', 'invalid_state', 'referenced', 'slug_taken', 'value_taken'],
    example: { input: { ...examplePackagePath, entityId: exampleItem.id } },
  }),
  sync: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/sync',
    summary: 'Bring what main changed into a package',
    description:
      'Only entities that the package holds; everything else it shows as main has it anyway. Three ways, as a merge.',
    permission: 'packages.merge',
    input: z.strictObject({ ...onPackage, ...mergeInput, dryRun }),
    output: MergeReport,
    errors: ['not_found', 'invalid_state', 'merge_conflict', 'plan_stale', 'idempotency_mismatch'],
    example: {
      input: { ...examplePackagePath },
      output: {
        ...exampleReport,
        package: examplePackage,
        changes: exampleReport.changes.map((change) => ({ ...change, version: 2 })),
      },
    },
  }),
  merge: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/merge',
    summary: 'Merge a package into main',
    description:
      'All of it or nothing. Member by member and three ways: the base is main at the version that each change started from. ' +
      'Lists of references and categories merge as sets, texts line by line. What cannot be decided is 409 `merge_conflict`.',
    permission: 'packages.merge',
    input: z.strictObject({
      ...onPackage,
      ...mergeInput,
      publish: z
        .boolean()
        .default(false)
        .describe('Publish every item that the package holds; needs items.publish'),
      mergeAt: UnixMs.nullable()
        .optional()
        .describe(
          'Merge it then, with the rights that you have then: until then it is `scheduled` and takes no changes, and the answer is what would be merged now. null opens a scheduled package again. Default: now',
        ),
      dryRun,
    }),
    output: MergeReport,
    errors: [
      'not_found',
      'invalid_state',
      'merge_conflict',
      'plan_stale',
      'not_publishable',
      'idempotency_mismatch',
    ],
    example: {
      input: {
        ...examplePackagePath,
        resolutions: [{ id: exampleItem.id, path: 'fields.readingMinutes', use: 'ours' }],
      },
      output: exampleReport,
    },
  }),
  revert: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/revert',
    summary: 'Make a package that undoes a merge',
    description:
      'An open package whose changes take back what the merge wrote. Review and merge it as any other.',
    permission: 'packages.merge',
    input: z.strictObject({
      ...onPackage,
      name: NewPackageName.optional().describe('Default: `revert-` and the name'),
      description: Description.default(''),
      dryRun,
    }),
    output: Package,
    success: 201,
    errors: ['not_found', 'invalid_state', 'name_taken', 'idempotency_mismatch'],
    example: {
      input: { ...examplePackagePath },
      output: { ...examplePackage, name: 'revert-spring-issue', revertOf: examplePackage.id },
    },
  }),
}
