import { z } from 'zod'
import { exampleAsset, exampleFile } from '../assets/examples.ts'
import { FileIn } from '../../binary.ts'
import { Id } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { Checksum, Upload, UploadCapabilities, UploadMetadata } from './shapes.ts'

const exampleMetadata = { repositoryId: 'magazine', filename: 'Oak galls.jpg' }

const exampleUpload: Upload = {
  id: 'UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6',
  length: 431_274,
  offset: 0,
  expiresDate: 1_790_086_400_000,
  metadata: exampleMetadata,
  itemId: null,
}

const offset = z.int().min(0).describe('Number of bytes that the service has received')
const onUpload = { uploadId: Id.describe('The upload') }

/**
 * The resumable upload (specification 4.2; TUS 1.0 with creation, creation-with-upload,
 * termination, checksum and expiration). Over HTTP its inputs and outputs are in the headers that
 * https://tus.io/protocols/resumable-upload defines.
 */
export const uploads = {
  capabilities: endpoint({
    binding: 'OPTIONS /api/items/upload',
    summary: 'Read the capabilities of the resumable upload (TUS)',
    permission: 'public',
    input: z.strictObject({}),
    output: UploadCapabilities,
    body: 'tus',
    success: 204,
    errors: [],
    example: {
      input: {},
      output: {
        version: '1.0.0',
        extensions: ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'],
        maxSize: 5_368_709_120,
        checksumAlgorithms: ['sha1', 'sha256'],
      },
    },
  }),
  create: endpoint({
    binding: 'POST /api/items/upload',
    summary: 'Start a resumable upload (TUS)',
    description:
      'The metadata defines what the file becomes: a new asset, or with `itemId` a new version of an asset. It is checked at once, ' +
      'as far as possible without the file. The request can already contain the first bytes in its body.',
    permission: { key: 'assets.upload', on: 'each' },
    input: z.strictObject({
      length: z.int().min(0).describe('Total size in bytes'),
      metadata: UploadMetadata,
      file: FileIn.optional(),
      checksum: Checksum.optional(),
    }),
    output: Upload,
    body: 'tus',
    success: 201,
    errors: ['not_found', 'too_large', 'too_many_requests', 'checksum_mismatch'],
    example: {
      input: { length: exampleUpload.length, metadata: exampleMetadata },
      output: exampleUpload,
    },
  }),
  get: endpoint({
    binding: 'HEAD /api/items/upload/{uploadId}',
    summary: 'Read the progress of an upload (TUS)',
    permission: { key: 'assets.upload', on: 'each' },
    input: z.strictObject(onUpload),
    output: Upload,
    body: 'tus',
    errors: ['not_found'],
    example: { input: { uploadId: exampleUpload.id }, output: exampleUpload },
  }),
  append: endpoint({
    binding: 'PATCH /api/items/upload/{uploadId}',
    summary: 'Send bytes of an upload (TUS)',
    description:
      'The asset is created when the last byte arrives; its id is in the response. To continue an interrupted upload, start at the offset that `get` returns.',
    permission: { key: 'assets.upload', on: 'each' },
    input: z.strictObject({ ...onUpload, offset, file: FileIn, checksum: Checksum.optional() }),
    output: Upload,
    body: 'tus',
    success: 204,
    errors: ['not_found', 'offset_conflict', 'upload_locked', 'checksum_mismatch', 'too_large'],
    example: {
      input: { uploadId: exampleUpload.id, offset: 0, file: exampleFile },
      output: { ...exampleUpload, offset: exampleUpload.length, itemId: exampleAsset.id },
    },
  }),
  terminate: endpoint({
    binding: 'DELETE /api/items/upload/{uploadId}',
    summary: 'Cancel an upload (TUS)',
    permission: { key: 'assets.upload', on: 'each' },
    input: z.strictObject(onUpload),
    output: z.undefined(),
    body: 'tus',
    success: 204,
    errors: ['not_found', 'upload_locked'],
    example: { input: { uploadId: exampleUpload.id } },
  }),
}
