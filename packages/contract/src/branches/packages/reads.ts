import { z } from 'zod'
import { BytesOut } from '../../binary.ts'
import { Id, listInput, listOf, longListOf, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import {
  exampleChange,
  exampleConflict,
  examplePackage,
  examplePackagePath,
  exampleReport,
} from './examples.ts'
import { onPackage } from './inputs.ts'
import {
  MergeConflict,
  Package,
  PackageChange,
  PackageDifference,
  PackageState,
  PageDiff,
  ReviewState,
} from './shapes.ts'

const page = { limit: listInput.limit, cursor: listInput.cursor, skipCount: listInput.skipCount }

/** Operations that read packages. */
export const packageReads = {
  list: endpoint({
    binding: 'GET /api/content/management/packages/{repo}',
    summary: 'List the packages of a repository',
    description: 'Deleted packages are left out, unless `state` selects them.',
    permission: { key: 'packages.view', on: 'repository' },
    input: z.strictObject({
      repo: RepositoryRef,
      state: PackageState.optional().describe('Only packages in this state'),
      review: ReviewState.optional().describe('Only packages with this decision'),
      agent: Id.optional().describe('Only packages that this account created as an agent; `*`: any agent'),
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
    permission: { key: 'packages.view', on: 'repository' },
    input: z.strictObject(onPackage),
    output: Package,
    errors: ['not_found'],
    example: { input: examplePackagePath, output: examplePackage },
  }),
  changes: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/changes',
    summary: 'List the changes of a package',
    description: 'Ordered by kind and id. Changes of entities that you may not read are left out.',
    permission: { key: 'packages.diff.view', on: 'repository' },
    input: z.strictObject({ ...onPackage, ...page }),
    output: longListOf(PackageChange),
    errors: ['not_found'],
    example: { input: examplePackagePath, output: { count: 1, items: [exampleChange] } },
  }),
  diff: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/diff',
    summary: 'Compare a package with its base versions, field by field',
    permission: { key: 'packages.diff.view', on: 'repository' },
    input: z.strictObject({ ...onPackage, ...page }),
    output: longListOf(PackageDifference),
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
    summary: 'List the conflicts of a package with main',
    description:
      'Returns at most 1000 conflicts, and their total number. `planId` identifies the state of both sides that they were found in. You have to be permitted to read all that the package contains.',
    permission: { key: ['packages.diff.view', 'packages.merge'], on: 'repository' },
    input: z.strictObject(onPackage),
    output: z.object({ count: z.int(), items: z.array(MergeConflict), planId: z.string() }),
    errors: ['not_found', 'invalid_state'],
    example: {
      input: examplePackagePath,
      output: { count: 1, items: [exampleConflict], planId: exampleReport.planId },
    },
  }),
  pageDiff: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/page-diff',
    summary: 'Compare the pages of sites on main and in a package (specification 4.3)',
    description:
      'Renders each page that differs as HTML with insertions and deletions marked, both side by side and inline. ' +
      `Content that you may not read is left out. At most ${limits.pageDiffPages} pages. The response has the URL of the comparison.`,
    permission: { key: 'packages.diff.view', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      sectionPath: z
        .string()
        .max(4000)
        .optional()
        .describe('Only pages in the section at this path within its site, and in the sections below it'),
      pageSlug: z.string().max(limits.slug).optional().describe('Only pages with this slug'),
      changeType: z
        .enum(['create', 'update', 'delete', 'move'])
        .optional()
        .describe(
          'Only pages that the package would `create`, `update`, `delete`, or `move` to another address',
        ),
    }),
    output: PageDiff,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { ...examplePackagePath, changeType: 'update' },
      output: {
        diffKey: 'q3mG0k1vZ8b7c6d5e4f3a2b1',
        url: 'https://quire.example.com/api/content/management/page-diffs/q3mG0k1vZ8b7c6d5e4f3a2b1',
        expiresInSeconds: limits.pageDiffLifetime / 1000,
      },
    },
  }),
  showPageDiff: endpoint({
    binding: 'GET /api/content/management/page-diffs/{diffKey}',
    summary: 'View a comparison of pages',
    description:
      'HTML without scripts. Needs `packages.diff.view` for the package of the comparison. It expires after a while.',
    permission: { key: 'packages.diff.view', on: 'each' },
    input: z.strictObject({
      diffKey: z.string().min(1).max(limits.id).describe('The `diffKey` of the comparison'),
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found'],
    example: { input: { diffKey: 'q3mG0k1vZ8b7c6d5e4f3a2b1' } },
  }),
}
