/** Which bucket to keep binaries in, and how to reach it. */
export interface S3BlobsOptions {
  /** A bucket that is there already. */
  readonly bucket: string
  /** What all names begin with, ending with `/`. Default: none. */
  readonly prefix?: string
  /** Where the store is, as an URL. Default: AWS, by the region. */
  readonly endpoint?: string
  /** Default: `us-east-1`, which stores that have no regions take as well. */
  readonly region?: string
  /** Default: what the AWS SDK finds: its environment variables, its files, the machine's role. */
  readonly credentials?: S3Credentials
  /**
   * Whether the bucket is named in the path of an URL and not in its host. Default: true with an `endpoint`, as a store of one's own
   * has no host for each bucket; false at AWS.
   */
  readonly forcePathStyle?: boolean
  /** Most ms a request may take, all its tries together. Default: 30 000 (TRUST F20). */
  readonly timeoutMs?: number
  /** Most ms one try may take; at twice, one that got lost leaves no time for a second. Default: a third of `timeoutMs`. */
  readonly attemptTimeoutMs?: number
  /** Most connections at a time. Default: 64. */
  readonly maxConnections?: number
  /**
   * Bytes of memory that puts and uploads share for the pieces that they gather, in steps of 8 MiB; each has up to 256 KiB beside. Less
   * makes many at once slower. Default: 96 MiB.
   */
  readonly bufferBytes?: number
}

/** A key of the store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}
