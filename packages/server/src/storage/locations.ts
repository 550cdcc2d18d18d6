import type { S3BlobsOptions } from '@quire/blobs-s3'
import type { PostgresOptions } from '@quire/store-postgres'

/** A PostgreSQL database that several servers may share. */
export type DatabaseLocation = PostgresOptions

/** A bucket of an S3-compatible store that several servers may share. The key is where the AWS SDK looks for it. */
export type BucketLocation = Pick<S3BlobsOptions, 'bucket' | 'prefix' | 'endpoint' | 'region'>

/** Where a server keeps what it keeps. */
export interface StorageLocations {
  /** The folder of what is this server's own: its key and first account, and what is not kept elsewhere. Made when it is not there. */
  readonly data: string
  /** Default: SQLite, `quire.db` in the folder. */
  readonly database?: DatabaseLocation
  /** Default: the folder `blobs` in the folder. */
  readonly bucket?: BucketLocation
  /** The file of the server's key, which servers on one database share. Default: `server.key` in the folder. */
  readonly key?: string
  /** Bytes that stay free on the disk: nothing is added while fewer are. Default: as `openFileBlobs`. */
  readonly minFreeBytes?: number
}
