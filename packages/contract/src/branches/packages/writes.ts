import { z } from 'zod'
import { Description, Id, RepositoryRef, UnixMs } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleItem } from '../../content/items/examples.ts'
import { dryRun } from '../../content/items/inputs.ts'
import { exampleChange, examplePackage, examplePackagePath, exampleReport } from './examples.ts'
import { mergeInput, onPackage } from './inputs.ts'
import { MergeReport, NewPackageName, Package, PackageChange } from './shapes.ts'

/** Operations that change packages. */
export const packageWrites = {
  create: endpoint({
    binding: 'POST /api/content/management/packages/{repo}',
    summary: 'Create a package',
    description:
      'A new package has no changes: reading from it shows main. To write to it, send `packageName` to any operation that accepts it, such as those on items.',
    permission: { key: 'packages.create', on: 'repository' },
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
    description: 'The name cannot change, because it is part of URLs and of the changes in the package.',
    permission: { key: 'packages.update', on: 'repository' },
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
    summary: 'Delete a package and its changes',
    description:
      'Main stays as it is. The record remains as a tombstone in state `deleted`; the name can be used again.',
    permission: { key: 'packages.delete', on: 'repository' },
    input: z.strictObject({ ...onPackage, dryRun }),
    output: z
      .object({ deleted: Package, changes: z.int().describe('Number of changes that are deleted with it') })
      .optional(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: examplePackagePath },
  }),
  addItem: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/items',
    summary: 'Add an unchanged item to a package',
    description:
      'Pins the item: later changes on main do not show in the package. Adding it a second time changes nothing.',
    permission: { key: 'packages.update', on: 'repository' },
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
    summary: 'Drop the changes of a package to one entity',
    description: 'The package then shows the entity as it is on main.',
    permission: { key: 'packages.update', on: 'repository' },
    input: z.strictObject({ ...onPackage, entityId: Id.describe('The changed entity'), dryRun }),
    output: PackageChange.optional(),
    success: 204,
    errors: ['not_found', 'invalid_state', 'referenced', 'slug_taken', 'value_taken'],
    example: { input: { ...examplePackagePath, entityId: exampleItem.id } },
  }),
  sync: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/sync',
    summary: 'Bring the changes on main into a package',
    description:
      'Only for entities that the package has changed or pinned; it shows everything else as it is on main anyway. A three-way merge, as in merge.',
    permission: { key: 'packages.merge', on: 'repository' },
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
      'All or nothing. A three-way merge, member by member: the base is the version on main that each change started from. ' +
      'Lists of references and categories are merged as sets, texts line by line. Conflicts are 409 `merge_conflict`.',
    permission: { key: 'packages.merge', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      ...mergeInput,
      publish: z
        .boolean()
        .default(false)
        .describe('Publish every item in the package; needs `items.publish`'),
      mergeAt: UnixMs.nullable()
        .optional()
        .describe(
          'When to merge, in Unix milliseconds, with the permissions that you have at that time. Until then the package is `scheduled` and accepts no changes; the response is what would be merged now. null reopens a scheduled package. Default: now',
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
    summary: 'Create a package that reverts a merge',
    description:
      'Creates an open package whose changes undo those of the merge. Review and merge it like any other.',
    permission: { key: 'packages.merge', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      name: NewPackageName.optional().describe('Default: `revert-` and the name of the package'),
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
