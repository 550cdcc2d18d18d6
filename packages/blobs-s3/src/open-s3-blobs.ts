import { type Blobs, createLocks } from '@quire/core/ports'
import { sweepAbandoned } from './abandoned.ts'
import { headObject, requireBucket } from './bucket.ts'
import { connect } from './connection.ts'
import { deleteBlob } from './delete-blob.ts'
import { derivedBlobs } from './derived-blobs.ts'
import { blobKey, keysBelow } from './keys.ts'
import { listBlobs } from './list-blobs.ts'
import type { S3BlobsOptions } from './options.ts'
import { partialBlobs } from './partial-blobs.ts'
import type { Place } from './place.ts'
import { presign, type PresignOptions } from './presign.ts'
import { putBlob } from './put-blob.ts'
import { readBlob, verifyBlob } from './read-blob.ts'

/** Binaries in a bucket. */
export interface S3Blobs extends Blobs {
  /**
   * An address from which anybody reads a blob for some time, without a key and past the engine: no right is asked for, and the bytes are
   * not checked. Whether the blob is there is not looked at. Errors: TypeError for what is no hash; BlobsUnavailable.
   */
  presign(hash: string, options: PresignOptions): Promise<string>
}

/**
 * Opens binaries in a bucket of an S3-compatible store; any number of processes may at the same time. Removes what ended ones left
 * behind more than a day ago. What is kept apart within one process only: appends to one upload, of which one takes over from another.
 * Errors: TypeError for a wrong prefix; BlobsUnavailable when the bucket cannot be reached.
 */
export async function openS3Blobs(options: S3BlobsOptions): Promise<S3Blobs> {
  const keys = keysBelow(options.prefix ?? '')
  const connection = await connect(options)
  const place: Place = { connection, keys, naming: createLocks() }
  await requireBucket(connection)
  await sweepAbandoned(place, Date.now())
  return {
    name: 's3',
    put: (bytes) => putBlob(place, bytes),
    async stat(hash) {
      const found = await headObject(connection, blobKey(keys, hash))
      return found && { hash, size: found.size }
    },
    read: (hash, range) => readBlob(place, hash, range),
    verify: (hash) => verifyBlob(place, hash),
    delete: (hash, writtenBefore) => deleteBlob(place, hash, writtenBefore),
    list: () => listBlobs(place),
    derived: derivedBlobs(place),
    partials: partialBlobs(place),
    ping: () => requireBucket(connection),
    presign: (hash, presigning) => presign(place, hash, presigning),
  }
}
