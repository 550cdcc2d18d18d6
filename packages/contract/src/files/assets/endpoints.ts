import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { Id, RepositoryRef } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { onRepository, optionalMembers, version } from '../../content/items/inputs.ts'
import { FieldValues, Item } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'
import { exampleAsset, exampleAssetPath, exampleFile } from './examples.ts'
import { madeToMeasure, RenditionFormat, RenditionName } from './shapes.ts'

/** The members of a path to an asset. */
export const onAsset = { ...onRepository, assetId: Id.describe('The asset') }

/** What may be said of a new asset: as of an item, but that nearly all of it can be taken from the file. */
export const newAssetMembers = {
  type: z
    .string()
    .min(1)
    .max(limits.name)
    .optional()
    .describe('Name of the content type; default: the only one that takes such a file'),
  ...optionalMembers,
  fields: FieldValues.default({}),
}

/** A new asset, without its file and its place. */
export const AssetDraft = z.strictObject(newAssetMembers)

/** A new asset, without its file and its place. */
export type AssetDraft = z.output<typeof AssetDraft>

const ids = z
  .array(Id)
  .min(1)
  .max(limits.zipEntries)
  .describe('The assets, at most 5 000; one that is named twice is in the archive once')

const zipNotes =
  'Streamed, in constant memory, as ZIP64 where needed. Entries are named by folder and original file name, made unique and safe. ' +
  'One asset that is absent or that you may not download is 404 before the first byte.'

/** The binaries of items. */
export const assets = {
  get: endpoint({
    binding: onBranch('GET /api/assets/{configId}/{assetId}/{rendition}'),
    summary: 'Fetch an asset or a rendition of it',
    description:
      'Answers the bytes. `ETag` is their hash; `If-None-Match` is answered 304, `Range` 206 or 416 (RFC 9110), `HEAD` the headers alone. ' +
      'A preset is made when it is first asked for, in the format of `format`, or the best that `Accept` takes. ' +
      'With `width`, `height`, `fit` or `quality` it is made to measure, as far as the repository permits: ' +
      'sizes and qualities are rounded up to the next of a few, presets are exact. ' +
      '`original` needs `assets.download`. Where the service is set to it, a large one is answered 302: the storage has it at `Location`.',
    permission: ['assets.read', 'assets.download'],
    input: z.strictObject({
      ...onAsset,
      rendition: RenditionName,
      format: RenditionFormat.optional(),
      version: version.optional().describe('A number, `latest` (default) or `latestpublished`'),
      download: z
        .union([z.literal(true), z.string().max(20)])
        .transform(String)
        .optional()
        .describe('When set, whatever it says, the answer is to be saved: Content-Disposition is attachment'),
      ...madeToMeasure,
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
    example: { input: { ...exampleAssetPath, rendition: 'thumbnail', format: 'webp' } },
  }),
  zip: endpoint({
    binding: onBranch('POST /api/assets/zip/{configId}'),
    summary: 'Download assets as one ZIP archive',
    description: `The body is a JSON array of asset ids. ${zipNotes}`,
    permission: 'assets.download',
    input: z.strictObject({ ...onRepository, ids }),
    output: BytesOut,
    body: 'ids',
    answer: 'bytes',
    errors: ['not_found', 'too_many_requests'],
    example: { input: { configId: 'magazine', ids: [exampleAsset.id] } },
  }),
  create: endpoint({
    binding: onBranch('POST /api/assets/{configId}'),
    summary: 'Create an asset from a file, in one request',
    description:
      'multipart/form-data with a part `data` (JSON, may be left out) and then a part `file`. For large files and lines that break use ' +
      'the resumable upload. The type of the file is taken from its bytes.',
    permission: 'assets.upload',
    input: z.strictObject({
      configId: RepositoryRef,
      packageName: onRepository.packageName,
      ...newAssetMembers,
      file: FileIn,
    }),
    output: Item,
    body: 'multipart',
    success: 201,
    errors: ['not_found', 'slug_taken', 'idempotency_mismatch'],
    example: { input: { configId: 'magazine', name: 'Oak galls', file: exampleFile }, output: exampleAsset },
  }),
  replace: endpoint({
    binding: onBranch('PUT /api/assets/{configId}/{assetId}/content'),
    summary: 'Replace the file of an asset: a new version',
    description:
      'The body is the file itself. Hand-made renditions of the old file go; the version before keeps them.',
    permission: 'assets.upload',
    input: z.strictObject({
      ...onAsset,
      fileName: z
        .string()
        .min(1)
        .max(limits.fileName)
        .optional()
        .describe('Its new name; default: as before'),
      file: FileIn,
    }),
    output: Item,
    body: 'file',
    errors: ['not_found', 'precondition_failed'],
    example: {
      input: { ...exampleAssetPath, fileName: 'Oak galls 2.jpg', file: exampleFile },
      output: { ...exampleAsset, currentVersion: 2, latestVersion: 2 },
    },
  }),
}
