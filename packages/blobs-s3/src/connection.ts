import type * as Sdk from '@aws-sdk/client-s3'
import { isAbsence, refusalOf, translate } from './s3-error.ts'
import type { S3BlobsOptions } from './options.ts'

/** A connection to a bucket through the SDK. */
export interface Connection {
  /** The SDK, loaded when the first bucket is opened: it takes 0.1 s or more. */
  readonly sdk: typeof Sdk
  readonly client: Sdk.S3Client
  readonly bucket: string
  /** Most milliseconds for a request, including retries. */
  readonly timeoutMs: number
  /** Most milliseconds without a received byte. */
  readonly idleMs: number
}

/** Most milliseconds for a request, including retries (TRUST F20). */
const defaultTimeout = 30_000

/**
 * Most attempts per request. Between them the SDK waits for a random time of up to 0.1, 0.2 and
 * 0.4 s, or five times that after SlowDown.
 */
const maxAttempts = 4

/** Loads the SDK and creates a client. Sends nothing yet. */
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
    // Not every store understands the SDK's own checksums, which are trailers. All of them verify
    // Content-MD5.
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

/** A request to a bucket, which the signal can abort. */
type Send<T> = (options: { readonly abortSignal: AbortSignal }) => Promise<T>

/** Sends a request with a time limit. Errors: BlobsUnavailable. */
export async function asked<T>(connection: Connection, work: Send<T>): Promise<T> {
  try {
    return await inTime(connection, work)
  } catch (error) {
    throw translate(error)
  }
}

/** As `asked`, but null when the object does not exist. `signal` aborts it as well. */
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

/**
 * Error codes of stores for bytes that do not match the Content-MD5 or the SHA-256 in the
 * signature.
 */
const damaged: ReadonlySet<string> = new Set(['BadDigest', 'XAmzContentSHA256Mismatch'])

/**
 * Sends a request within the time limit. The SDK retries after a missing response or a 5xx. Bytes
 * that were damaged in transit are sent again here.
 */
async function inTime<T>({ timeoutMs }: Connection, work: Send<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const late = new AbortController()
  // Cleared when the response arrives: a later abort would cut off a body that is still being read.
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
