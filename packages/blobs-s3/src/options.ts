/** Which bucket to store binaries in, and how to reach it. */
export interface S3BlobsOptions {
  /** The bucket, which must exist. */
  readonly bucket: string
  /** The prefix of all object names, ending with `/`. Default: none. */
  readonly prefix?: string
  /** The URL of the store. Default: AWS, by region. */
  readonly endpoint?: string
  /** Default: `us-east-1`, which stores without regions accept as well. */
  readonly region?: string
  /**
   * Default: the credentials that the AWS SDK finds: in environment variables, its files, or the
   * role of the machine.
   */
  readonly credentials?: S3Credentials
  /**
   * Whether the bucket is named in the path of a URL instead of the host. Default: true with an
   * `endpoint`, because a self-hosted store has no host per bucket; false for AWS.
   */
  readonly forcePathStyle?: boolean
  /** Most milliseconds for a request, including retries. Default: 30 000 (TRUST F20). */
  readonly timeoutMs?: number
  /**
   * Most milliseconds for one attempt. At twice the default, a lost attempt leaves no time for a
   * second. Default: a third of `timeoutMs`.
   */
  readonly attemptTimeoutMs?: number
  /** Most connections at the same time. Default: 64. */
  readonly maxConnections?: number
  /**
   * Bytes of memory that puts and uploads share for collecting pieces, in steps of 8 MiB. Each put
   * or upload also uses up to 256 KiB of its own. With less memory, many at once are slower.
   * Default: 96 MiB.
   */
  readonly bufferBytes?: number
}

/** Credentials for the store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}
