import type { CompletedPart } from '@aws-sdk/client-s3'
import { BlobsUnavailable } from '@quire/core/ports'
import { md5Of, unquoted } from './bucket.ts'
import { asked, type Connection, findAsked } from './connection.ts'

/** A part of an object that is written in parts: bytes at hand, or bytes of another object, which the store copies itself. */
export type Part = Uint8Array | CopiedPart

/** Bytes of another object in the same bucket. */
interface CopiedPart {
  readonly key: string
  /** Copied only when the object has it. Swift cannot compare that of an object that was written in parts: it must be of one put. */
  readonly etag: string
  readonly start: number
  /** The last byte. */
  readonly end: number
}

/** What S3 asks of all parts but the last: 5 MiB. */
export const smallestPart = 5 * 1024 * 1024

/** What S3 takes of one object. With parts of 8 MiB that is 78 GiB. */
export const mostParts = 10_000

/** Copies under way at a time: a store needs some 80 ms for each and little of ours. */
const copiesAtOnce = 4

/** An object that is being written in parts. */
interface Multipart {
  readonly connection: Connection
  readonly key: string
  readonly uploadId: string
  readonly done: CompletedPart[]
}

/**
 * Writes an object in parts; it is there, whole and durable, when this resolves. Parts that fail leave nothing; when the last step fails the
 * object may be there, whole. What comes out is its ETag. Cost: one part in memory. Errors: those of `parts`; BlobsUnavailable.
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
    // What cannot be ended now is ended when binaries are opened later.
    await abort(connection, key, uploadId).catch(() => undefined)
    throw error
  }
  // Never ended after this: Swift would remove the parts of an object whose answer got lost.
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
  if (UploadId === undefined) throw new BlobsUnavailable('failing', 'The bucket gave an upload no id.')
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
    // An upload is ended once nothing of it is under way.
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

/** Sent again when an answer gets lost: AWS and Swift say the same to it as to the first. */
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

/** Ends an upload that is not complete. Absent is no error. */
export async function abort(connection: Connection, key: string, uploadId: string): Promise<void> {
  const { sdk, client, bucket } = connection
  const command = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })
  await findAsked(connection, (options) => client.send(command, options))
}
