import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobCorrupt, type ByteRange, verifiedWhole } from '@quire/core/ports'
import { openObject, type Wanted } from './bucket.ts'
import { blobKey } from './keys.ts'
import { type ObjectReader, readChecked, readerOf } from './object-reader.ts'
import { type ByteSource, streamOf, streamOfBytes } from './piece-stream.ts'
import type { Place } from './place.ts'

/** The bytes of a blob or of a part of it, as `Blobs.read` says. All of a whole blob are hashed each time: they come over a network. */
export async function readBlob(
  place: Place,
  hash: string,
  { range, signal }: Pick<Wanted, 'range' | 'signal'>,
): Promise<Readable | null> {
  return range ? readRange(place, hash, { range, signal }) : readWhole(place, hash, signal)
}

async function readRange(
  { connection, keys }: Place,
  hash: string,
  { range, signal }: Wanted & { readonly range: ByteRange },
): Promise<Readable | null> {
  requireRange(range, Number.MAX_SAFE_INTEGER)
  const opened = await openObject(connection, blobKey(keys, hash), { range, signal })
  if (!opened) return null
  try {
    requireRange(range, opened.size)
  } catch (error) {
    opened.body.destroy()
    throw error
  }
  return streamOf(readerOf(connection, { opened, start: range.start, end: range.end + 1, signal }))
}

function requireRange({ start, end }: ByteRange, size: number): void {
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!fits || end >= size)
    throw new RangeError(`Bytes ${start} to ${end} are no part of a blob of ${size} bytes.`)
}

async function readWhole(
  { connection, keys }: Place,
  hash: string,
  signal?: AbortSignal,
): Promise<Readable | null> {
  const opened = await openObject(connection, blobKey(keys, hash), { signal })
  if (!opened) return null
  if (opened.size > verifiedWhole) {
    return streamOf(proved(readerOf(connection, { opened, start: 0, end: opened.size, signal }), hash))
  }
  const found = await readChecked(connection, { opened, signal }, (bytes) => hashOf(bytes) === hash)
  if (!found) return null
  if (!found.right) throw new BlobCorrupt(hash)
  return streamOfBytes(found.bytes)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** All bytes of a blob, the last ones only once the hash of all fits. */
function proved(reader: ObjectReader, hash: string): ByteSource {
  const digest = createHash('sha256')
  let held: Uint8Array | null = null
  let isBegun = false
  const hold = async () => {
    const before = held
    held = await reader.next()
    if (held) digest.update(held)
    else if (digest.digest('hex') !== hash) throw new BlobCorrupt(hash)
    return before
  }
  return {
    async next() {
      if (!isBegun) await hold()
      isBegun = true
      return held && hold()
    },
    close: () => reader.close(),
  }
}

/** Reads all of a blob. Bytes that are wrong are read once more, as they may have changed on the way. */
export async function verifyBlob(place: Place, hash: string): Promise<'sound' | 'missing' | 'corrupt'> {
  const first = await verifyOnce(place, hash)
  return first === 'corrupt' ? verifyOnce(place, hash) : first
}

async function verifyOnce(
  { connection, keys }: Place,
  hash: string,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const opened = await openObject(connection, blobKey(keys, hash))
  if (!opened) return 'missing'
  const reader = readerOf(connection, { opened, start: 0, end: opened.size })
  const digest = createHash('sha256')
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) digest.update(chunk)
  return digest.digest('hex') === hash ? 'sound' : 'corrupt'
}
