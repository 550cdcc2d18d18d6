import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobsUnavailable, type ByteRange } from '@quire/core/ports'
import { asked, type Connection, findAsked } from './connection.ts'
import { refusalOf } from './s3-error.ts'

/** An object as a bucket has it. */
export interface ObjectState {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** The store's mark of these bytes, without quotes: the MD5 for most stores and objects, but not for all. */
  readonly etag: string
  /** Unix ms, of most stores in whole seconds. */
  readonly writtenDate: number
  /** The SHA-256 that was said of its bytes when it was written; null: none was, or a listing does not tell. */
  readonly given: string | null
}

/** An object whose bytes are coming. Whoever gets it reads the body to its end or destroys it. */
export interface OpenedObject extends ObjectState {
  readonly body: Readable
}

/** What of an object is asked for. */
export interface ObjectRange {
  readonly range?: ByteRange | undefined
  /** Only these bytes, not what was put in their place since. */
  readonly etag?: string
  /** Ends it, also while its bytes come. */
  readonly signal?: AbortSignal | undefined
}

/** MD5 as base64: what a store checks bytes against as they come in. */
export function md5Of(bytes: Uint8Array): { readonly base64: string; readonly hex: string } {
  const digest = createHash('md5').update(bytes).digest()
  return { base64: digest.toString('base64'), hex: digest.toString('hex') }
}

/** Writes an object whole, in place of another of that name; durable when it resolves. What comes out is its ETag. */
export async function putObject(connection: Connection, key: string, bytes: Uint8Array): Promise<string> {
  return putNamed(connection, { key, given: null }, bytes)
}

/** As `putObject`, with what is said of its bytes. */
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

/** Null when absent. */
export async function headObject(connection: Connection, key: string): Promise<ObjectState | null> {
  const { sdk, client, bucket } = connection
  const command = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key })
  const found = await findAsked(connection, (options) => client.send(command, options))
  return found && stateOf(key, found)
}

/** Null when absent. Errors: RangeError for a range that begins beyond the end; BlobsUnavailable, also when the ETag is another. */
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
    if (!(found.Body instanceof Readable)) throw new TypeError('The SDK gave no stream of Node.')
    const { body, state } = { body: found.Body, state: stateOf(key, found) }
    return { ...state, size: totalOf(found.ContentRange) ?? state.size, body }
  } catch (error) {
    if (error instanceof BlobsUnavailable && refusalOf(error.cause).status === 416)
      throw new RangeError(`The bytes asked for are no part of the object.`, { cause: error })
    throw error
  }
}

/** Removes an object. Absent is no error. */
export async function removeObject(connection: Connection, key: string): Promise<void> {
  const { sdk, client, bucket } = connection
  const command = new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })
  await findAsked(connection, (options) => client.send(command, options))
}

/** Removes many, some at a time: a request for all of them at once is not known to every store. */
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

/** Every object whose name begins so, in the order of names; a page of 1 000 is in memory. */
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

/** Errors: BlobsUnavailable when the bucket is not there or may not be asked. */
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

/** Lower case, as headers come back. */
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

/** `bytes 10-19/100` is of 100 bytes. */
function totalOf(contentRange: string | undefined): number | null {
  const total = Number(contentRange?.split('/')[1])
  return contentRange === undefined || Number.isNaN(total) ? null : total
}
