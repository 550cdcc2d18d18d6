import { z } from 'zod'
import { Id, PackageName, RepositoryRef, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

const text = z.string().max(limits.name)

/** The metadata of an upload, as TUS texts. Unknown names are stored but have no effect. */
export const UploadMetadata = z
  .looseObject({
    repositoryId: RepositoryRef,
    packageName: PackageName.optional(),
    itemId: Id.optional().describe(
      'The asset that gets the file as a new version. Default: a new asset is created',
    ),
    type: text
      .optional()
      .describe(
        'Name of the content type. Default: the only content type that accepts such a file. A value that contains `/` is treated as `filetype`',
      ),
    contentType: text.optional().describe('Same as `type`; takes precedence over it'),
    name: text.optional().describe('Name of the asset. Default: the file name'),
    filename: z.string().max(limits.fileName).optional().describe('Name of the file'),
    filetype: text
      .optional()
      .describe('Media type that the sender assumes; the real one is detected from the bytes'),
    folderId: Id.optional(),
    fields: z.string().max(1_000_000).optional().describe('Custom values, as JSON text'),
    locale: text.optional().describe('The locale of `fields`, or `*`. Default: the default locale'),
  })
  .catchall(z.string().max(1000))
  .describe('What the file becomes')

/** The checksum of the bytes of one request. */
export const Checksum = z
  .strictObject({
    algorithm: z.enum(['sha1', 'sha256']),
    digest: z
      .string()
      .regex(/^[A-Za-z0-9+/]{27,43}=$/, 'must be base64')
      .describe('Digest of these bytes, as base64'),
  })
  .describe('Checksum of the bytes of this request')

/** A resumable upload. */
export const Upload = z
  .object({
    id: Id,
    length: z.int().describe('Total size in bytes'),
    offset: z.int().describe('Number of bytes that are safely stored'),
    expiresDate: UnixMs.describe('When the upload expires if no more bytes arrive'),
    metadata: z.record(z.string(), z.string()),
    metadataText: z.string().optional().describe('`metadata` as the text of its request header'),
    itemId: Id.nullable().describe('The asset that it became; null until the last byte has arrived'),
  })
  .meta({ id: 'Upload', description: 'A resumable upload' })

/** A resumable upload. */
export type Upload = z.output<typeof Upload>

/** The capabilities of the resumable upload. */
export const UploadCapabilities = z
  .object({
    version: z.string().describe('Version of the TUS protocol'),
    extensions: z.array(z.string()),
    maxSize: z.int().describe('Maximum size of an upload in bytes'),
    checksumAlgorithms: z.array(z.string()),
  })
  .meta({ id: 'UploadCapabilities', description: 'The capabilities of the resumable upload' })

/** The capabilities of the resumable upload. */
export type UploadCapabilities = z.output<typeof UploadCapabilities>
