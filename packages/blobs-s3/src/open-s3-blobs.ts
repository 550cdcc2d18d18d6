import { type Blobs, createLocks } from '@quire/core/ports'
import { abandonedAfter, sweepAbandoned } from './abandoned.ts'
import { headObject, requireBucket } from './bucket.ts'
import { createBuffers, pieceSize } from './buffers.ts'
import { connect } from './connection.ts'
import { deleteBlob } from './delete-blob.ts'
import { derivedBlobs } from './derived-blobs.ts'
import { blobKey, keysBelow } from './keys.ts'
import { listBlobs } from './list-blobs.ts'
import { locateBlob } from './locate-blob.ts'
import type { S3BlobsOptions } from './options.ts'
import { partialBlobs } from './partial-blobs.ts'
import type { Location } from './location.ts'
import { putBlob } from './put-blob.ts'
import { readBlob, verifyBlob } from './read-blob.ts'

/** Binaries in a bucket, which can also be located by an address and swept. */
export type S3Blobs = Blobs & Required<Pick<Blobs, 'locate' | 'sweep'>>

/**
 * Default memory for shared buffers. With 256 KiB for each upload, fifty uploads at once use
 * 108 MiB. At twice, they would exceed the memory that a service may use (TRUST 4.1).
 */
const defaultBufferBytes = 96 * 1024 * 1024

/**
 * Opens binaries in a bucket of an S3-compatible store. Any number of processes may do so at the
 * same time. Removes what ended processes left behind more than a day ago.
 * Errors: TypeError for an invalid prefix; BlobsUnavailable when the bucket cannot be reached.
 */
export async function openS3Blobs(options: S3BlobsOptions): Promise<S3Blobs> {
  const keys = keysBelow(options.prefix ?? '')
  const connection = await connect(options)
  const count = Math.max(1, Math.floor((options.bufferBytes ?? defaultBufferBytes) / pieceSize))
  const location: Location = { connection, keys, naming: createLocks(), buffers: createBuffers({ count }) }
  await requireBucket(connection)
  await sweepAbandoned(location, Date.now() - abandonedAfter)
  return {
    name: 's3',
    put: (bytes) => putBlob(location, bytes),
    async stat(hash) {
      const found = await headObject(connection, blobKey(keys, hash))
      return found && { hash, size: found.size }
    },
    read: (hash, range, signal) => readBlob(location, hash, { range, signal }),
    locate: (hash, locating) => locateBlob(location, hash, locating),
    verify: (hash) => verifyBlob(location, hash),
    delete: (hash, writtenBefore) => deleteBlob(location, hash, writtenBefore),
    list: () => listBlobs(location),
    sweep: (before) => sweepAbandoned(location, before),
    derived: derivedBlobs(location),
    partials: partialBlobs(location),
    ping: () => requireBucket(connection),
  }
}
