import type * as Sdk from '@aws-sdk/client-s3'
import { isAbsence, refusalOf, translate } from './s3-error.ts'
import type { S3BlobsOptions } from './options.ts'

/** An open bucket, as the SDK sees it. */
export interface Connection {
  /** The SDK, loaded when the first bucket is opened: 0.1 s and more. */
  readonly sdk: typeof Sdk
  readonly client: Sdk.S3Client
  readonly bucket: string
  /** Most ms of a request with all its tries. */
  readonly timeoutMs: number
  /** Most ms without a byte of what is read. */
  readonly idleMs: number
}

/** Most ms of a request, all its tries together (TRUST F20). */
const defaultTimeout = 30_000

/** How often a request is sent at most. The SDK waits between, at random up to 0.1, 0.2 and 0.4 s, after a SlowDown five times that. */
const maxAttempts = 4

/** Loads the SDK and makes a client; nothing is sent yet. */
export async function connect(options: S3BlobsOptions): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3')
  const { bucket, timeoutMs = defaultTimeout } = options
  const idleMs = options.attemptTimeoutMs ?? Math.ceil(timeoutMs / 3)
  const { endpoint, credentials, region = 'us-east-1' } = options
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    maxAttempts,
    retryMode: 'standard',
    // The SDK's own checksums are trailers that not every store reads; Content-MD5 is what all of them verify.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(5_000, idleMs),
      requestTimeout: idleMs,
      throwOnRequestTimeout: true,
      httpsAgent: { maxSockets: options.maxConnections ?? 64, keepAlive: true },
      httpAgent: { maxSockets: options.maxConnections ?? 64, keepAlive: true },
    },
  })
  return { sdk, client, bucket, timeoutMs, idleMs }
}

/** Work on a bucket, which ends when the signal says so. */
type Send<T> = (options: { readonly abortSignal: AbortSignal }) => Promise<T>

/** Work with a bound on its time. Errors: BlobsUnavailable. */
export async function asked<T>(connection: Connection, work: Send<T>): Promise<T> {
  try {
    return await inTime(connection, work)
  } catch (error) {
    throw translate(error)
  }
}

/** As `asked`, but null for what is not there, and no longer than until a signal is aborted. */
export async function findAsked<T>(
  connection: Connection,
  work: Send<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  try {
    return await inTime(connection, work, signal)
  } catch (error) {
    if (isAbsence(error)) return null
    throw translate(error)
  }
}

/** What stores say of bytes that are not those of the Content-MD5, or of the SHA-256 in a signature. */
const damaged: ReadonlySet<string> = new Set(['BadDigest', 'XAmzContentSHA256Mismatch'])

/** The SDK sends again what got no answer or one of 5xx. Bytes that changed on their way are sent again here. */
async function inTime<T>({ timeoutMs }: Connection, work: Send<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const late = new AbortController()
  // Ended with the answer: a signal that came later would cut a body that is still read.
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const options = { abortSignal: signal ? AbortSignal.any([late.signal, signal]) : late.signal }
  try {
    return await work(options)
  } catch (error) {
    if (!damaged.has(refusalOf(error).code)) throw error
    return await work(options)
  } finally {
    clearTimeout(timer)
  }
}
