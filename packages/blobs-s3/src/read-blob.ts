import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobCorrupt, type ByteRange, verifiedWhole } from '@quire/core/ports'
import { type OpenedObject, openObject, type ObjectRange } from './bucket.ts'
import { blobKey } from './keys.ts'
import { type ObjectReader, readChecked, readerOf } from './object-reader.ts'
import { type ByteSource, streamOf, streamOfBytes } from './chunk-stream.ts'
import type { Location } from './location.ts'

/**
 * Implements `Blobs.read`: the bytes of a blob or of a part of it. A whole blob is hashed on every
 * read, because it comes over a network.
 */
export async function readBlob(
  location: Location,
  hash: string,
  wanted: Pick<ObjectRange, 'range' | 'signal'>,
): Promise<Readable | null> {
  return readObject(location, { key: blobKey(location.keys, hash), hash }, wanted)
}

/** The key of an object, and the hash of its bytes. */
export interface NamedObject {
  readonly key: string
  readonly hash: string
}

/**
 * Reads an object or a part of it, as `readBlob` does. Also null when its metadata names another
 * hash.
 */
export async function readObject(
  location: Location,
  named: NamedObject,
  { range, signal }: Pick<ObjectRange, 'range' | 'signal'>,
): Promise<Readable | null> {
  return range ? readRange(location, named, { range, signal }) : readWhole(location, named, signal)
}

async function openNamed(
  { connection }: Location,
  { key, hash }: NamedObject,
  wanted: ObjectRange,
): Promise<OpenedObject | null> {
  const opened = await openObject(connection, key, wanted)
  if (!opened || opened.given === null || opened.given === hash) return opened
  opened.body.destroy()
  return null
}

async function readRange(
  location: Location,
  named: NamedObject,
  { range, signal }: ObjectRange & { readonly range: ByteRange },
): Promise<Readable | null> {
  requireRange(range, Number.MAX_SAFE_INTEGER)
  const opened = await openNamed(location, named, { range, signal })
  if (!opened) return null
  try {
    requireRange(range, opened.size)
  } catch (error) {
    opened.body.destroy()
    throw error
  }
  return streamOf(readerOf(location.connection, { opened, start: range.start, end: range.end + 1, signal }))
}

function requireRange({ start, end }: ByteRange, size: number): void {
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!fits || end >= size)
    throw new RangeError(`Bytes ${start} to ${end} are not part of a blob of ${size} bytes.`)
}

async function readWhole(
  location: Location,
  named: NamedObject,
  signal?: AbortSignal,
): Promise<Readable | null> {
  const { connection } = location
  const { hash } = named
  const opened = await openNamed(location, named, { signal })
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

/** Reads a whole blob. The last bytes are only returned once the hash of all of them matches. */
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

/** Verifies a blob by reading all of it. */
export async function verifyBlob(location: Location, hash: string): Promise<'sound' | 'missing' | 'corrupt'> {
  return verifyObject(location, { key: blobKey(location.keys, hash), hash })
}

/**
 * Verifies an object by reading all of it. If the bytes are wrong, it is read once more, because
 * they may have been damaged in transit.
 */
export async function verifyObject(
  location: Location,
  named: NamedObject,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const first = await verifyOnce(location, named)
  return first === 'corrupt' ? verifyOnce(location, named) : first
}

async function verifyOnce(
  { connection }: Location,
  { key, hash }: NamedObject,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const opened = await openObject(connection, key)
  if (!opened) return 'missing'
  const reader = readerOf(connection, { opened, start: 0, end: opened.size })
  const digest = createHash('sha256')
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) digest.update(chunk)
  return digest.digest('hex') === hash ? 'sound' : 'corrupt'
}
