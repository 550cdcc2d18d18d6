/** A PostgreSQL database that several servers may share. */
export interface DatabasePlace {
  /** `postgresql://user:password@host:5432/database` */
  readonly url: string
  /** Default: `quire`. */
  readonly schema?: string
  /** Connections of this process at most. Default: 10. */
  readonly maxConnections?: number
}

/** A bucket of an S3-compatible store that several servers may share. The key is where the AWS SDK looks for it. */
export interface BucketPlace {
  readonly bucket: string
  /** What all names begin with, ending with `/`. Default: none. */
  readonly prefix?: string
  /** Default: AWS, by the region. */
  readonly endpoint?: string
  readonly region?: string
}

/** Where a server keeps what it keeps. */
export interface StoragePlaces {
  /** The folder of what is this server's own: its key and first account, and what is not kept elsewhere. Made when it is not there. */
  readonly data: string
  /** Default: SQLite, `quire.db` in the folder. */
  readonly database?: DatabasePlace
  /** Default: the folder `blobs` in the folder. */
  readonly bucket?: BucketPlace
  /** The file of the server's key, which servers on one database share. Default: `server.key` in the folder. */
  readonly key?: string
  /** Bytes that uploads leave free on the disk. Default: as `openFileBlobs`. */
  readonly minFreeBytes?: number
}
