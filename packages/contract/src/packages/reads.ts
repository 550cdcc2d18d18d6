import { z } from 'zod'
import { listInput, listOf, RepositoryRef } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import {
  exampleChange,
  exampleConflict,
  examplePackage,
  examplePackagePath,
  exampleReport,
} from './examples.ts'
import { onPackage } from './inputs.ts'
import { MergeConflict, Package, PackageChange, PackageDifference, PackageState } from './shapes.ts'

const page = { limit: listInput.limit, cursor: listInput.cursor, skipCount: listInput.skipCount }

/** What only reads packages. */
export const packageReads = {
  list: endpoint({
    binding: 'GET /api/content/management/packages/{repo}',
    summary: 'List the packages of a repository',
    description: 'Deleted ones are left out, unless `state` asks for them.',
    permission: 'packages.view',
    input: z.strictObject({
      repo: RepositoryRef,
      state: PackageState.optional().describe('Only packages in this state'),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(Package),
    errors: ['not_found'],
    example: { input: { repo: 'magazine' }, output: { count: 1, items: [examplePackage] } },
  }),
  get: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}',
    summary: 'Read a package',
    permission: 'packages.view',
    input: z.strictObject(onPackage),
    output: Package,
    errors: ['not_found'],
    example: { input: examplePackagePath, output: examplePackage },
  }),
  changes: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/changes',
    summary: 'List what a package changes',
    description: 'By kind and id. What you may not read is left out.',
    permission: 'packages.diff.view',
    input: z.strictObject({ ...onPackage, ...page }),
    output: listOf(PackageChange),
    errors: ['not_found'],
    example: { input: examplePackagePath, output: { count: 1, items: [exampleChange] } },
  }),
  diff: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/diff',
    summary: 'Compare a package with what it started from, field by field',
    permission: 'packages.diff.view',
    input: z.strictObject({ ...onPackage, ...page }),
    output: listOf(PackageDifference),
    errors: ['not_found'],
    example: {
      input: examplePackagePath,
      output: {
        count: 1,
        items: [
          {
            ...exampleChange,
            changes: [{ path: 'fields.readingMinutes', kind: 'changed', before: 5, after: 7 }],
          },
        ],
      },
    },
  }),
  conflicts: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/conflicts',
    summary: 'What a merge could not decide by itself',
    description: 'At most 1000, and how many there are. `planId` names the state that they were found in.',
    permission: 'packages.merge',
    input: z.strictObject(onPackage),
    output: z.object({ count: z.int(), items: z.array(MergeConflict), planId: z.string() }),
    errors: ['not_found', 'invalid_state'],
    example: {
      input: examplePackagePath,
      output: { count: 1, items: [exampleConflict], planId: exampleReport.planId },
    },
  }),
}
