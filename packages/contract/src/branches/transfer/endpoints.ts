import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { Id, PackageName, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { NewPackageName } from '../packages/shapes.ts'
import { exampleImportPlan, exampleExportFile } from './examples.ts'
import { ExportQuery, ImportPlan, mostVersions } from './shapes.ts'

/** Moving the content of a repository as one file. */
export const transfer = {
  export: endpoint({
    binding: 'POST /api/admin/repositories/{id}/export',
    summary: 'Export a repository as one file',
    description:
      'Streams a ZIP archive of what you may read on main: content types, items, folders, taxonomies, sites and the files of assets; ' +
      'or of only a package, a folder or the result of a query. ' +
      'The same content is always the same bytes. The file shows one moment, the start of the export; what is saved later is not in it. ' +
      'It never contains accounts, roles, rights, secrets, webhooks or publications of sites. ' +
      '`manifest.json` says whether it is complete. Its content types are only those of the items in it.',
    permission: { key: 'admin.repositories.export', on: 'repository' },
    input: z.strictObject({
      id: RepositoryRef,
      packageName: PackageName.optional().describe('Only what this package changes, as it is there'),
      folderId: Id.optional().describe(
        'Only this folder and all in it, with the folders and categories that those are in',
      ),
      query: ExportQuery.optional(),
      blobs: z.boolean().default(true).describe('Whether to include the files of assets'),
      history: z
        .boolean()
        .default(false)
        .describe(
          `Whether to include up to ${mostVersions} earlier versions of each entity, and the activity of a repository or package`,
        ),
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'too_many_requests'],
    example: { input: { id: 'magazine', blobs: false } },
  }),
  import: endpoint({
    binding: 'POST /api/admin/repositories/{id}/import',
    summary: 'Import an exported file, or plan it',
    description:
      'The body is the file. With `dryRun` the response is the plan, and nothing changes; with `planId` exactly that plan is applied. ' +
      'Every entity merges three ways: the base is the newest content that both sides have had. Where both have changed the same, it is a conflict. ' +
      'With `package` the changes go into a new package, whose merge resolves conflicts; otherwise to main, in batches that let others write. ' +
      'An entity that is created gets the earlier versions that the file has; activity is not imported. ' +
      'An import that was cut off continues when it is sent again without `planId`. Importing again changes nothing.',
    permission: { key: 'admin.repositories.import', on: 'repository' },
    input: z.strictObject({
      id: RepositoryRef,
      dryRun: z.boolean().default(false).describe('Only answer the plan'),
      planId: z.string().max(100).optional().describe('Apply only this plan'),
      package: NewPackageName.optional().describe('Create this package for the changes'),
      prune: z
        .boolean()
        .default(false)
        .describe(
          'Also delete what the file does not contain; only from a complete file of a repository or folder, and only on main',
        ),
      roles: z
        .record(z.string().max(256), z.string().max(256))
        .default({})
        .describe('Roles to use in role lists: id in the file to id here'),
      file: FileIn,
    }),
    output: ImportPlan,
    body: 'file',
    plansItself: true,
    errors: [
      'not_found',
      'plan_stale',
      'merge_conflict',
      'import_refused',
      'name_taken',
      'too_many_requests',
    ],
    example: {
      input: { id: 'magazine', dryRun: true, file: exampleExportFile },
      output: exampleImportPlan,
    },
  }),
}
