import { isPartialId } from '@quire/core/ports'
import { headObject, listObjects, removeObject } from './bucket.ts'
import { asked, type Connection } from './connection.ts'
import { partialKey } from './keys.ts'
import { abort } from './multipart.ts'
import type { Location } from './location.ts'
import { isUnsupported } from './s3-error.ts'

/** Milliseconds after which unfinished work counts as abandoned: a put or a copy takes minutes. */
export const abandonedAfter = 24 * 60 * 60 * 1_000

/**
 * Removes what ended processes left behind before `before` (Unix ms): multipart uploads, temporary
 * objects, and pieces without an upload.
 */
export async function sweepAbandoned(location: Location, before: number): Promise<void> {
  for await (const { key, writtenDate } of listObjects(location.connection, location.keys.temp)) {
    if (writtenDate < before) await removeObject(location.connection, key)
  }
  await abortOld(location, before)
  await removePieces(location, before)
}

async function removePieces(location: Location, before: number): Promise<void> {
  const { connection, keys } = location
  let last = { id: '', isThere: true }
  for await (const { key, writtenDate } of listObjects(connection, keys.pieces)) {
    const [id = ''] = key.slice(keys.pieces.length).split('/')
    if (writtenDate >= before || !isPartialId(id)) continue
    if (last.id !== id) last = { id, isThere: (await headObject(connection, partialKey(keys, id))) !== null }
    if (!last.isThere) await removeObject(connection, key)
  }
}

/**
 * Aborts old multipart uploads, except those whose object exists: Swift still lists an upload that
 * was interrupted between the two steps of completing it, and aborting it would remove the parts of
 * the object.
 */
async function abortOld({ connection, keys }: Location, before: number): Promise<void> {
  for (const prefix of [keys.blobs, keys.temp]) {
    for (const { key, uploadId, begun } of await listUploads(connection, prefix)) {
      if (begun >= before || (await headObject(connection, key))) continue
      await abort(connection, key, uploadId)
    }
  }
}

interface ListedUpload {
  readonly key: string
  readonly uploadId: string
  /** Unix ms. */
  readonly begun: number
}

/**
 * Lists up to 1 000 multipart uploads; the others follow on the next sweep. Empty when a store does
 * not support the list or does not permit it: then the store's own lifecycle rules end the uploads.
 */
async function listUploads(connection: Connection, prefix: string): Promise<readonly ListedUpload[]> {
  const { sdk, client, bucket } = connection
  const command = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })
  try {
    const { Uploads = [] } = await asked(connection, (options) => client.send(command, options))
    return Uploads.map(({ Key = '', UploadId = '', Initiated }) => ({
      key: Key,
      uploadId: UploadId,
      begun: Initiated?.getTime() ?? Date.now(),
    }))
  } catch (error) {
    if (error instanceof Error && isUnsupported(error.cause)) return []
    throw error
  }
}
