// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'

/** The operations of `uploads`. Content items: reading, writing, versions, publishing. */
export interface UploadsApi {
  /**
   * Read the capabilities of the resumable upload (TUS).
   *
   * `OPTIONS /api/items/upload`.
   * Public: needs no token.
   *
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable`, `no_room`, `quota_exceeded` -
   *   As every operation of its kind.
   */
  readonly capabilities: (input?: Record<string, never>, options?: CallOptions) => Promise<UploadCapabilities>

  /**
   * Start a resumable upload (TUS).
   *
   * The metadata defines what the file becomes: a new asset, or with `itemId` a new version of an
   * asset. It is checked at once, as far as possible without the file. The request can already contain
   * the first bytes in its body.
   *
   * `POST /api/items/upload`.
   * Permission: `assets.upload`.
   *
   * @param input.length - Total size in bytes.
   * @param input.metadata - What the file becomes.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @param input.checksum - Checksum of the bytes of this request.
   * @throws `not_found` - Not found.
   * @throws `too_large` - The request is too large.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `checksum_mismatch` - The bytes do not match their checksum: send them again.
   * @throws `invalid`, `unauthorized`, `forbidden`, `precondition_failed`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly create: (input: UploadsCreateInput, options?: CallOptions) => Promise<Upload>

  /**
   * Read the progress of an upload (TUS).
   *
   * `HEAD /api/items/upload/{uploadId}`.
   * Permission: `assets.upload`.
   *
   * @param input.uploadId - The upload.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `precondition_failed`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly get: (input: UploadsGetInput, options?: CallOptions) => Promise<Upload>

  /**
   * Send bytes of an upload (TUS).
   *
   * The asset is created when the last byte arrives; its id is in the response. To continue an
   * interrupted upload, start at the offset that `get` returns.
   *
   * `PATCH /api/items/upload/{uploadId}`.
   * Permission: `assets.upload`.
   *
   * @param input.uploadId - The upload.
   * @param input.offset - Number of bytes that the service has received.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @param input.checksum - Checksum of the bytes of this request.
   * @throws `not_found` - Not found.
   * @throws `offset_conflict` - The upload is at a different offset: ask for the current offset, then
   *   continue from there.
   * @throws `upload_locked` - Another request is sending bytes of this upload: wait, then ask for its
   *   offset.
   * @throws `checksum_mismatch` - The bytes do not match their checksum: send them again.
   * @throws `too_large` - The request is too large.
   * @throws `invalid`, `unauthorized`, `forbidden`, `precondition_failed`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly append: (input: UploadsAppendInput, options?: CallOptions) => Promise<Upload>

  /**
   * Cancel an upload (TUS).
   *
   * `DELETE /api/items/upload/{uploadId}`.
   * Permission: `assets.upload`.
   *
   * @param input.uploadId - The upload.
   * @throws `not_found` - Not found.
   * @throws `upload_locked` - Another request is sending bytes of this upload: wait, then ask for its
   *   offset.
   * @throws `invalid`, `unauthorized`, `forbidden`, `precondition_failed`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly terminate: (input: UploadsTerminateInput, options?: CallOptions) => Promise<undefined>
}

/** The capabilities of the resumable upload */
export interface UploadCapabilities {
  /** Version of the TUS protocol */
  version: string
  extensions: string[]
  /** Maximum size of an upload in bytes */
  maxSize: number
  checksumAlgorithms: string[]
}

/** What the file becomes */
export type UploadMetadata = {
  /** A repository's id or name */
  repositoryId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset that gets the file as a new version. Default: a new asset is created */
  itemId?: string | undefined
  /**
   * Name of the content type. Default: the only content type that accepts such a file. A value that
   * contains `/` is treated as `filetype`
   */
  type?: string | undefined
  /** Same as `type`; takes precedence over it */
  contentType?: string | undefined
  /** Name of the asset. Default: the file name */
  name?: string | undefined
  /** Name of the file */
  filename?: string | undefined
  /** Media type that the sender assumes; the real one is detected from the bytes */
  filetype?: string | undefined
  /** An id, as answered by the operation that created it */
  folderId?: string | undefined
  /** Custom values, as JSON text */
  fields?: string | undefined
  /** The locale of `fields`, or `*`. Default: the default locale */
  locale?: string | undefined
} & { [name: string]: string }

/** Checksum of the bytes of this request */
export interface Checksum {
  algorithm: 'sha1' | 'sha256'
  /** Digest of these bytes, as base64 */
  digest: string
}

/** A resumable upload */
export interface Upload {
  /** An id, as answered by the operation that created it */
  id: string
  /** Total size in bytes */
  length: number
  /** Number of bytes that are safely stored */
  offset: number
  /** When the upload expires if no more bytes arrive */
  expiresDate: number
  metadata: Record<string, string>
  /** `metadata` as the text of its request header */
  metadataText?: string | undefined
  /** The asset that it became; null until the last byte has arrived */
  itemId: string | null
}

/** The input of `uploads.create` */
export interface UploadsCreateInput {
  /** Total size in bytes */
  length: number
  /** What the file becomes */
  metadata: UploadMetadata
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file?: BytesIn | undefined
  /** Checksum of the bytes of this request */
  checksum?: Checksum | undefined
}

/** The input of `uploads.get` */
export interface UploadsGetInput {
  /** The upload */
  uploadId: string
}

/** The input of `uploads.append` */
export interface UploadsAppendInput {
  /** The upload */
  uploadId: string
  /** Number of bytes that the service has received */
  offset: number
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
  /** Checksum of the bytes of this request */
  checksum?: Checksum | undefined
}

/** The input of `uploads.terminate` */
export interface UploadsTerminateInput {
  /** The upload */
  uploadId: string
}
