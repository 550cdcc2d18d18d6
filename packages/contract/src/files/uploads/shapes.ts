import { z } from 'zod'
import { Id, PackageName, RepositoryRef, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

const text = z.string().max(limits.name)

/** What becomes of an upload: texts, as TUS has them. Names that are not known here are kept and mean nothing. */
export const UploadMetadata = z
  .looseObject({
    repositoryId: RepositoryRef,
    packageName: PackageName.optional(),
    itemId: Id.optional().describe(
      'The asset of which the file is a new version; without it a new asset is made',
    ),
    type: text
      .optional()
      .describe(
        'Name of the content type; default: the only one that takes such a file. With a `/` in it, it is as `filetype`',
      ),
    contentType: text.optional().describe('The same as `type`, and before it'),
    name: text.optional().describe('Name of the asset; default: the file name'),
    filename: z.string().max(limits.fileName).optional().describe('Name of the file'),
    filetype: text.optional().describe('What the sender takes the file for; its bytes decide'),
    folderId: Id.optional(),
    fields: z.string().max(1_000_000).optional().describe('Custom values, as JSON text'),
  })
  .catchall(z.string().max(1000))
  .describe('What becomes of the file')

/** What proves the bytes of one request. */
export const Checksum = z
  .strictObject({
    algorithm: z.enum(['sha1', 'sha256']),
    digest: z
      .string()
      .regex(/^[A-Za-z0-9+/]{27,43}=$/, 'must be base64')
      .describe('Of these bytes, as base64'),
  })
  .describe('What proves these bytes')

/** A resumable upload. */
export const Upload = z
  .object({
    id: Id,
    length: z.int().describe('Bytes in all'),
    offset: z.int().describe('Bytes that are kept, whatever happens'),
    expiresDate: UnixMs.describe('From then on it is gone, unless more bytes come'),
    metadata: z.record(z.string(), z.string()),
    metadataText: z.string().optional().describe('`metadata` as the header said it that it came in'),
    itemId: Id.nullable().describe('The asset that it became; null until the last byte'),
  })
  .meta({ id: 'Upload', description: 'A resumable upload' })

/** A resumable upload. */
export type Upload = z.output<typeof Upload>

/** What the resumable upload can do. */
export const UploadCapabilities = z
  .object({
    version: z.string().describe('Of the protocol'),
    extensions: z.array(z.string()),
    maxSize: z.int().describe('Bytes'),
    checksumAlgorithms: z.array(z.string()),
  })
  .meta({ id: 'UploadCapabilities', description: 'What the resumable upload can do' })

/** What the resumable upload can do. */
export type UploadCapabilities = z.output<typeof UploadCapabilities>
