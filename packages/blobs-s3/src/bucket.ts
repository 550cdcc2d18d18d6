import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobsUnavailable, type ByteRange } from '@quire/core/ports'
import { asked, type Connection, findAsked } from './connection.ts'
import { refusalOf } from './s3-error.ts'

/** An object in a bucket. */
export interface ObjectState {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /**
   * The entity tag of these bytes, without quotes. For most stores and objects, but not all, it is
   * the MD5.
   */
  readonly etag: string
  /** Unix ms. Most stores only have whole seconds. */
  readonly writtenDate: number
  /**
   * The SHA-256 that was stored as metadata when the object was written; null when there was none,
   * or when a listing does not report it.
   */
  readonly given: string | null
}

/**
 * An object whose bytes are being received. The caller must read the body to its end or destroy it.
 */
export interface OpenedObject extends ObjectState {
  readonly body: Readable
}

/** Which bytes of an object to open. */
export interface ObjectRange {
  readonly range?: ByteRange | undefined
  /** Requires this entity tag, so that bytes of a later version are not returned. */
  readonly etag?: string
  /** Aborts the request, also while the body is being received. */
  readonly signal?: AbortSignal | undefined
}

/** The MD5 that a store verifies received bytes with. */
export function md5Of(bytes: Uint8Array): { readonly base64: string; readonly hex: string } {
  const digest = createHash('md5').update(bytes).digest()
  return { base64: digest.toString('base64'), hex: digest.toString('hex') }
}

/**
 * Writes a whole object and replaces any other of that name; durable when it resolves. Returns the
 * ETag.
 */
export async function putObject(connection: Connection, key: string, bytes: Uint8Array): Promise<string> {
  return putNamed(connection, { key, given: null }, bytes)
}

/** As `putObject`, with the SHA-256 of the bytes as metadata. */
export async function putNamed(
  connection: Connection,
  { key, given }: Pick<ObjectState, 'key' | 'given'>,
  bytes: Uint8Array,
): Promise<string> {
  const { sdk, client, bucket } = connection
  const command = new sdk.PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentLength: bytes.length,
    ContentMD5: md5Of(bytes).base64,
    ContentType: 'application/octet-stream',
    ...(given === null ? {} : { Metadata: { [metadataMember]: given } }),
  })
  const { ETag } = await asked(connection, (options) => client.send(command, options))
  return unquoted(ETag)
}

/** The state of an object; null when absent. */
export async function headObject(connection: Connection, key: string): Promise<ObjectState | null> {
  const { sdk, client, bucket } = connection
  const command = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key })
  const found = await findAsked(connection, (options) => client.send(command, options))
  return found && stateOf(key, found)
}

/**
 * Opens an object for reading; null when absent. Errors: RangeError for a range that begins beyond
 * the end; BlobsUnavailable, also when the ETag differs.
 */
export async function openObject(
  connection: Connection,
  key: string,
  { range, etag, signal }: ObjectRange = {},
): Promise<OpenedObject | null> {
  const { sdk, client, bucket } = connection
  const command = new sdk.GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
    ...(etag === undefined ? {} : { IfMatch: `"${etag}"` }),
  })
  try {
    const found = await findAsked(connection, (options) => client.send(command, options), signal)
    if (!found) return null
    if (!(found.Body instanceof Readable)) throw new TypeError('The SDK did not return a Node stream.')
    const { body, state } = { body: found.Body, state: stateOf(key, found) }
    return { ...state, size: totalOf(found.ContentRange) ?? state.size, body }
  } catch (error) {
    if (error instanceof BlobsUnavailable && refusalOf(error.cause).status === 416)
      throw new RangeError('The requested bytes are not part of the object.', { cause: error })
    throw error
  }
}

/** Removes an object. No error when it is absent. */
export async function removeObject(connection: Connection, key: string): Promise<void> {
  const { sdk, client, bucket } = connection
  const command = new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })
  await findAsked(connection, (options) => client.send(command, options))
}

/** Removes objects, several at a time. Not every store supports a bulk request. */
export async function removeObjects(
  connection: Connection,
  keys: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  let some: string[] = []
  const removeSome = async () => {
    await Promise.all(some.map((key) => removeObject(connection, key)))
    some = []
  }
  for await (const key of keys) {
    some.push(key)
    if (some.length === 16) await removeSome()
  }
  await removeSome()
}

/** Lists the objects with a prefix in the order of their names. Holds a page of 1 000 in memory. */
export async function* listObjects(connection: Connection, prefix: string): AsyncGenerator<ObjectState> {
  const { sdk, client, bucket } = connection
  let token: string | undefined
  do {
    const command = new sdk.ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix,
      ...(token === undefined ? {} : { ContinuationToken: token }),
    })
    const page = await asked(connection, (options) => client.send(command, options))
    for (const { Key, ...found } of page.Contents ?? []) {
      if (Key !== undefined) yield stateOf(Key, { ...found, ContentLength: found.Size })
    }
    token = page.NextContinuationToken
  } while (token !== undefined)
}

/**
 * Checks that the bucket exists. Errors: BlobsUnavailable when it does not, or access is denied.
 */
export async function requireBucket(connection: Connection): Promise<void> {
  const { sdk, client, bucket } = connection
  const command = new sdk.HeadBucketCommand({ Bucket: bucket })
  await asked(connection, (options) => client.send(command, options))
}

/** An ETag without its quotes. */
export function unquoted(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}

interface ObjectHead {
  readonly ContentLength?: number | undefined
  readonly ETag?: string | undefined
  readonly LastModified?: Date | undefined
  readonly Metadata?: Record<string, string> | undefined
}

/** Lower case, as it is returned in headers. */
const metadataMember = 'sha256'

function stateOf(key: string, { ContentLength, ETag, LastModified, Metadata }: ObjectHead): ObjectState {
  return {
    key,
    size: ContentLength ?? 0,
    etag: unquoted(ETag),
    writtenDate: LastModified?.getTime() ?? 0,
    given: Metadata?.[metadataMember] ?? null,
  }
}

/** The total size from a Content-Range: 100 for `bytes 10-19/100`. */
function totalOf(contentRange: string | undefined): number | null {
  const total = Number(contentRange?.split('/')[1])
  return contentRange === undefined || Number.isNaN(total) ? null : total
}
