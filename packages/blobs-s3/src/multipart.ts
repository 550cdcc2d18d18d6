import type { CompletedPart } from '@aws-sdk/client-s3'
import { BlobsUnavailable } from '@quire/core/ports'
import { md5Of, unquoted } from './bucket.ts'
import { asked, type Connection, findAsked } from './connection.ts'

/**
 * A part of a multipart upload: bytes in memory, or bytes of another object, which the store copies
 * itself.
 */
export type Part = Uint8Array | CopiedPart

/** Bytes of another object in the same bucket. */
interface CopiedPart {
  readonly key: string
  /**
   * The copy requires this entity tag. It must be that of an object written by a single put: Swift
   * cannot compare the tags of multipart objects.
   */
  readonly etag: string
  readonly start: number
  /** The last byte, inclusive. */
  readonly end: number
}

/** The smallest size of all parts but the last in S3: 5 MiB. */
export const smallestPart = 5 * 1024 * 1024

/** The most parts of one object in S3. With parts of 8 MiB, that is 78 GiB. */
export const mostParts = 10_000

/**
 * Copies that run at the same time. The store needs about 80 ms for each, and this process does
 * little.
 */
const copiesAtOnce = 4

/** A running multipart upload. */
interface Multipart {
  readonly connection: Connection
  readonly key: string
  readonly uploadId: string
  readonly done: CompletedPart[]
}

/**
 * Writes an object in parts; complete and durable when it resolves. If a part fails, nothing
 * remains. If the last step fails, the complete object may exist. Returns the ETag. Cost: one part
 * in memory.
 * Errors: those of `parts`; BlobsUnavailable.
 */
export async function putParts(
  connection: Connection,
  key: string,
  parts: AsyncIterable<Part>,
): Promise<string> {
  const uploadId = await begin(connection, key)
  const multipart = { connection, key, uploadId, done: [] }
  try {
    await sendParts(multipart, parts)
  } catch (error) {
    // If the upload cannot be aborted now, a later sweep aborts it.
    await abort(connection, key, uploadId).catch(() => undefined)
    throw error
  }
  // Never aborted after this point: if the response was lost, Swift would remove the parts of a
  // complete object.
  return complete(multipart)
}

async function begin(connection: Connection, key: string): Promise<string> {
  const { sdk, client, bucket } = connection
  const command = new sdk.CreateMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    ContentType: 'application/octet-stream',
  })
  const { UploadId } = await asked(connection, (options) => client.send(command, options))
  if (UploadId === undefined)
    throw new BlobsUnavailable('failing', 'The bucket returned no id for an upload.')
  return UploadId
}

async function sendParts(multipart: Multipart, parts: AsyncIterable<Part>): Promise<void> {
  const copying = new Set<Promise<void>>()
  try {
    let number = 0
    for await (const part of parts) {
      number += 1
      requireFewParts(number)
      if (part instanceof Uint8Array) {
        await sendPart(multipart, number, part)
        continue
      }
      const copy = copyPart(multipart, number, part)
      copying.add(copy)
      void copy.then(
        () => copying.delete(copy),
        () => undefined,
      )
      if (copying.size >= copiesAtOnce) await Promise.race(copying)
    }
    await Promise.all(copying)
  } finally {
    // An upload must not be aborted while its copies are running.
    await Promise.allSettled(copying)
  }
}

function requireFewParts(number: number): void {
  if (number <= mostParts) return
  throw new BlobsUnavailable('full', `A blob of more than ${mostParts} parts is too large for a bucket.`)
}

async function sendPart(multipart: Multipart, number: number, bytes: Uint8Array): Promise<void> {
  const { connection, key, uploadId, done } = multipart
  const { sdk, client, bucket } = connection
  const command = new sdk.UploadPartCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumber: number,
    Body: bytes,
    ContentLength: bytes.length,
    ContentMD5: md5Of(bytes).base64,
  })
  const { ETag } = await asked(connection, (options) => client.send(command, options))
  done[number - 1] = { PartNumber: number, ETag }
}

async function copyPart(multipart: Multipart, number: number, part: CopiedPart): Promise<void> {
  const { connection, key, uploadId, done } = multipart
  const { sdk, client, bucket } = connection
  const command = new sdk.UploadPartCopyCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumber: number,
    CopySource: `${bucket}/${part.key}`,
    CopySourceRange: `bytes=${part.start}-${part.end}`,
    CopySourceIfMatch: `"${part.etag}"`,
  })
  const { CopyPartResult } = await asked(connection, (options) => client.send(command, options))
  done[number - 1] = { PartNumber: number, ETag: CopyPartResult?.ETag }
}

/**
 * Completes an upload. The SDK repeats the request when the response is lost: AWS and Swift answer
 * it like the first one.
 */
async function complete({ connection, key, uploadId, done }: Multipart): Promise<string> {
  const { sdk, client, bucket } = connection
  const command = new sdk.CompleteMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: { Parts: done },
  })
  const { ETag } = await asked(connection, (options) => client.send(command, options))
  return unquoted(ETag)
}

/** Aborts an incomplete upload. No error when it does not exist. */
export async function abort(connection: Connection, key: string, uploadId: string): Promise<void> {
  const { sdk, client, bucket } = connection
  const command = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })
  await findAsked(connection, (options) => client.send(command, options))
}
