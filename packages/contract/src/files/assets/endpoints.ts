import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { Id, RepositoryRef } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { onRepository, optionalMembers, version } from '../../content/items/inputs.ts'
import { writtenLocale } from '../../content/locales/inputs.ts'
import { FieldValues, Item } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'
import { exampleAsset, exampleAssetPath, exampleFile } from './examples.ts'
import { madeToMeasure, RenditionFormat, RenditionName } from './shapes.ts'

/** The path members that name an asset. */
export const onAsset = { ...onRepository, assetId: Id.describe('The asset') }

/**
 * The members of a new asset: those of an item, but nearly all have defaults that are taken from
 * the file.
 */
export const newAssetMembers = {
  type: z
    .string()
    .min(1)
    .max(limits.name)
    .optional()
    .describe('Name of the content type. Default: the only content type that accepts such a file'),
  ...optionalMembers,
  fields: FieldValues.default({}),
}

/** A new asset, without its file, repository and branch. */
export const AssetDraft = z.strictObject(newAssetMembers)

/** A new asset, without its file, repository and branch. */
export type AssetDraft = z.output<typeof AssetDraft>

const ids = z
  .array(Id)
  .min(1)
  .max(limits.zipEntries)
  .describe('Ids of the assets, at most 5 000. An asset that is named twice is in the archive once')

const zipNotes =
  'The archive is streamed in constant memory, as ZIP64 if needed. Entries are named by folder and original file name, made unique and safe. ' +
  'If any asset does not exist or you may not download it, the response is 404 before the first byte.'

/** Operations on the files of items. */
export const assets = {
  get: endpoint({
    binding: onBranch('GET /api/assets/{configId}/{assetId}/{rendition}'),
    summary: 'Fetch an asset or one of its renditions',
    description:
      'Returns the bytes. `ETag` is their hash. `If-None-Match` can result in 304, `Range` in 206 or 416 (RFC 9110), and `HEAD` returns only the headers. ' +
      'The rendition of a preset is made when it is first requested, in the format of `format`, or in the best one that `Accept` allows. ' +
      'With `width`, `height`, `fit` or `quality` an ad hoc rendition is made, within the limits of the repository: ' +
      'sizes and qualities are rounded up to the next step, while presets are exact. ' +
      '`original` needs `assets.download`. If the service is configured for it, a large original is a 302 to the object storage.',
    permission: { key: ['assets.read', 'assets.download'], on: 'item' },
    input: z.strictObject({
      ...onAsset,
      rendition: RenditionName,
      format: RenditionFormat.optional(),
      version: version.optional().describe('A number, `latest` (default) or `latestpublished`'),
      download: z
        .union([z.literal(true), z.string().max(20)])
        .transform(String)
        .optional()
        .describe(
          'If present, whatever its value, browsers save the response as a file: Content-Disposition is `attachment`',
        ),
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
    permission: { key: 'assets.download', on: 'each' },
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
      'The body is multipart/form-data with an optional part `data` (JSON), followed by a part `file`. For large files and unreliable connections use ' +
      'the resumable upload. The media type of the file is detected from its bytes.',
    permission: { key: 'assets.upload', on: 'type', to: 'create' },
    input: z.strictObject({
      configId: RepositoryRef,
      packageName: onRepository.packageName,
      ...newAssetMembers,
      locale: writtenLocale,
      file: FileIn,
    }),
    output: Item,
    body: 'multipart',
    success: 201,
    errors: ['not_found', 'slug_taken', 'idempotency_mismatch'],
    example: { input: { configId: 'magazine', name: 'Oak galls', file: exampleFile }, output: exampleAsset },
  }),
  createFromUrl: endpoint({
    binding: onBranch('POST /api/assets/{configId}/from-url'),
    summary: 'Create an asset from a file at a URL',
    description:
      'The service fetches the file, without credentials, from an origin that `settings.assets.fetchOrigins` of the repository names, and then does the same as ' +
      '`assets.create`. It follows up to 3 redirects, each to such an origin. The media type of the file is detected from its bytes.',
    permission: { key: 'assets.upload', on: 'each' },
    asksOthers: true,
    fetchesFile: true,
    input: z.strictObject({
      configId: RepositoryRef,
      packageName: onRepository.packageName,
      ...newAssetMembers,
      locale: writtenLocale,
      url: z
        .string()
        .max(limits.fetchUrl)
        .describe('URL of the file: http or https, without credentials, on a public address'),
      fileName: z
        .string()
        .min(1)
        .max(limits.fileName)
        .optional()
        .describe('Default: the name in the `Content-Disposition` of the response, or the end of the URL'),
    }),
    output: Item,
    success: 201,
    errors: [
      'not_found',
      'slug_taken',
      'idempotency_mismatch',
      'too_large',
      'too_many_requests',
      'upstream_failed',
      'upstream_timeout',
    ],
    example: {
      input: { configId: 'magazine', name: 'Oak galls', url: 'https://images.example.org/Oak%20galls.jpg' },
      output: exampleAsset,
    },
  }),
  replace: endpoint({
    binding: onBranch('PUT /api/assets/{configId}/{assetId}/content'),
    summary: 'Replace the file of an asset, in a new version',
    description:
      'The body is the file itself. Custom renditions of the old file are removed; the previous version keeps them.',
    permission: { key: 'assets.upload', on: 'item', to: 'change' },
    input: z.strictObject({
      ...onAsset,
      fileName: z
        .string()
        .min(1)
        .max(limits.fileName)
        .optional()
        .describe('New file name. Default: the current one'),
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
