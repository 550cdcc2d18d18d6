import { z } from 'zod'
import { Description, Id, listInput, longListOf, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { dryRun, onRepository } from '../items/inputs.ts'
import { limits } from '../../limits.ts'
import { exampleFolder, exampleFolderPath, exampleTree } from './examples.ts'
import { ParentFilter, recursive, TreeDepth } from './inputs.ts'
import { Folder, FolderNode, HolderShape, Named, StructureName } from './shapes.ts'

const onFolder = { ...onRepository, id: Id.describe('The folder') }
const parentId = Id.nullable().describe('The parent folder; null: the top level')

/** Folders: a tree that items are filed in. */
export const folders = {
  list: endpoint({
    binding: onBranch('GET /api/content/management/folders/{configId}'),
    summary: 'List folders, ordered by name',
    permission: { key: 'folders.read', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      parentId: ParentFilter.optional(),
      text: z
        .string()
        .max(limits.search)
        .optional()
        .describe('Words in the name or description; each matches as a prefix'),
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
    }),
    output: longListOf(Folder),
    errors: ['not_found'],
    example: {
      input: { configId: 'magazine', parentId: exampleFolder.parentId ?? '' },
      output: { count: 1, items: [exampleFolder] },
    },
  }),
  tree: endpoint({
    binding: onBranch('GET /api/content/management/folders/{configId}/tree'),
    summary: 'Read the folder tree, or the part below one folder',
    description:
      'Each folder is followed by the folders in it; siblings are ordered by name. ' +
      'At most 10000 folders: request fewer levels of a larger tree.',
    permission: { key: 'folders.read', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      parentId: Id.optional().describe('Only folders below this one'),
      depth: TreeDepth,
      at: UnixMs.optional().describe('The tree as it was at this time, Unix milliseconds'),
    }),
    output: z.object({ count: z.int().describe('Folders in the response'), items: z.array(FolderNode) }),
    errors: ['not_found'],
    example: { input: { configId: 'magazine' }, output: { count: 2, items: exampleTree } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/content/management/folders/{configId}/{id}'),
    summary: 'Read a folder',
    permission: { key: 'folders.read', on: 'repository' },
    input: z.strictObject({
      ...onFolder,
      at: UnixMs.optional().describe('The folder as it was or will be at this time, Unix milliseconds'),
    }),
    output: Folder,
    errors: ['not_found', 'merge_conflict'],
    example: { input: exampleFolderPath, output: exampleFolder },
  }),
  create: endpoint({
    binding: onBranch('POST /api/content/management/folders/{configId}'),
    summary: 'Create a folder',
    permission: { key: 'folders.create', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      name: StructureName,
      description: Description.default(''),
      parentId: parentId.default(null),
    }),
    output: Folder,
    success: 201,
    errors: ['not_found', 'name_taken', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { configId: 'magazine', name: exampleFolder.name, parentId: exampleFolder.parentId },
      output: exampleFolder,
    },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/content/management/folders/{configId}/{id}'),
    summary: 'Rename or describe a folder',
    permission: { key: 'folders.update', on: 'repository' },
    input: z.strictObject({
      ...onFolder,
      name: StructureName.optional(),
      description: Description.optional(),
    }),
    output: Folder,
    errors: ['not_found', 'name_taken', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleFolderPath, name: exampleFolder.name }, output: exampleFolder },
  }),
  move: endpoint({
    binding: onBranch('POST /api/content/management/folders/{configId}/{id}/move'),
    summary: 'Move a folder and everything in it',
    description: 'A folder cannot be moved below itself, and a tree has at most 50 levels.',
    permission: { key: 'folders.update', on: 'repository' },
    input: z.strictObject({ ...onFolder, parentId, name: StructureName.optional() }),
    output: Folder,
    errors: ['not_found', 'name_taken', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...exampleFolderPath, parentId: exampleFolder.parentId }, output: exampleFolder },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/content/management/folders/{configId}/{id}'),
    summary: 'Delete a folder',
    description:
      'A folder that is not empty needs `recursive`. Its folders and items are then deleted too, each by its own rules: all of them or none, ' +
      'and at most 1000. Rejected while an item elsewhere refers to one of them through a `restrict` field.',
    permission: { key: 'folders.delete', on: 'repository' },
    input: z.strictObject({ ...onFolder, recursive, dryRun }),
    output: z
      .object({
        deleted: Folder,
        folders: z.array(Named).describe('Folders that are deleted with it'),
        items: z.array(Named).describe('Items that are deleted with it'),
        unset: z.array(HolderShape).describe('References that are removed with it'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleFolderPath, recursive: true } },
  }),
}
