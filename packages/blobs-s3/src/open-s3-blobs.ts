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

/** Binaries in a bucket, each of which has an address of its own. */
export type S3Blobs = Blobs & Required<Pick<Blobs, 'locate' | 'sweep'>>

/** With the 256 KiB that each has of its own, fifty uploads at once hold 108 MiB. At twice, they are past what a service may grow by (TRUST 4.1). */
const defaultBufferBytes = 96 * 1024 * 1024

/**
 * Opens binaries in a bucket of an S3-compatible store; any number of processes may at the same time. Removes what ended ones left
 * behind more than a day ago. Errors: TypeError for a wrong prefix; BlobsUnavailable when the bucket cannot be reached.
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
