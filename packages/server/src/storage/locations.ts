import type { S3BlobsOptions } from '@quire/blobs-s3'
import type { PostgresOptions } from '@quire/store-postgres'

/** A PostgreSQL database that several servers may share. */
export type DatabaseLocation = PostgresOptions

/**
 * A bucket of an S3-compatible store that several servers may share. Its key comes from where the
 * AWS SDK looks for it.
 */
export type BucketLocation = Pick<S3BlobsOptions, 'bucket' | 'prefix' | 'endpoint' | 'region'>

/** Where a server stores its data. */
export interface StorageLocations {
  /**
   * The folder for this server's key and first account, and for all data that is not stored
   * elsewhere. Created when it does not exist.
   */
  readonly data: string
  /** Default: SQLite, `quire.db` in `data`. */
  readonly database?: DatabaseLocation
  /** Default: the folder `blobs` in `data`. */
  readonly bucket?: BucketLocation
  /**
   * The file with the server key, which servers on one database share. Default: `server.key` in
   * `data`.
   */
  readonly key?: string
  /**
   * Free bytes to leave on the disk: writes that would go below are refused. Default: that of
   * `openFileBlobs`.
   */
  readonly minFreeBytes?: number
}
