import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobCorrupt, type ByteRange, verifiedWhole } from '@quire/core/ports'
import { type OpenedObject, openObject, type ObjectRange } from './bucket.ts'
import { blobKey } from './keys.ts'
import { type ObjectReader, readChecked, readerOf } from './object-reader.ts'
import { type ByteSource, streamOf, streamOfBytes } from './chunk-stream.ts'
import type { Location } from './location.ts'

/** The bytes of a blob or of a part of it, as `Blobs.read` says. All of a whole blob are hashed each time: they come over a network. */
export async function readBlob(
  location: Location,
  hash: string,
  wanted: Pick<ObjectRange, 'range' | 'signal'>,
): Promise<Readable | null> {
  return readObject(location, { key: blobKey(location.keys, hash), hash }, wanted)
}

/** Where bytes are, and which they are. */
export interface Named {
  readonly key: string
  readonly hash: string
}

/** The bytes of an object or of a part of it, as `readBlob`; null also when it says that it has others. */
export async function readObject(
  location: Location,
  named: Named,
  { range, signal }: Pick<ObjectRange, 'range' | 'signal'>,
): Promise<Readable | null> {
  return range ? readRange(location, named, { range, signal }) : readWhole(location, named, signal)
}

async function openNamed(
  { connection }: Location,
  { key, hash }: Named,
  wanted: ObjectRange,
): Promise<OpenedObject | null> {
  const opened = await openObject(connection, key, wanted)
  if (!opened || opened.given === null || opened.given === hash) return opened
  opened.body.destroy()
  return null
}

async function readRange(
  location: Location,
  named: Named,
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
    throw new RangeError(`Bytes ${start} to ${end} are no part of a blob of ${size} bytes.`)
}

async function readWhole(location: Location, named: Named, signal?: AbortSignal): Promise<Readable | null> {
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

/** Reads all of a blob. */
export async function verifyBlob(location: Location, hash: string): Promise<'sound' | 'missing' | 'corrupt'> {
  return verifyObject(location, { key: blobKey(location.keys, hash), hash })
}

/** Reads all of an object. Bytes that are wrong are read once more, as they may have changed on the way. */
export async function verifyObject(
  location: Location,
  named: Named,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const first = await verifyOnce(location, named)
  return first === 'corrupt' ? verifyOnce(location, named) : first
}

async function verifyOnce(
  { connection }: Location,
  { key, hash }: Named,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const opened = await openObject(connection, key)
  if (!opened) return 'missing'
  const reader = readerOf(connection, { opened, start: 0, end: opened.size })
  const digest = createHash('sha256')
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) digest.update(chunk)
  return digest.digest('hex') === hash ? 'sound' : 'corrupt'
}
