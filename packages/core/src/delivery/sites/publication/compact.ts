import type { BlobPart, Manifest, PublishedFile } from './manifest.ts'
import { type Pack, type PackedBytes, noBytes, readRange } from './pack.ts'
import { BlobCorrupt, type Blobs, type Bytes } from '../../../ports/index.ts'

/**
 * The most packs that a publication may use. Backups and the scrub handle each as a file. At half,
 * pages are copied twice as often.
 */
const mostPacks = 20

/**
 * When there are too many packs, this many of the largest are kept. The rest is small, and not
 * copied again for ten publications.
 */
const packsToKeep = 10

/** How much of a pack the files of a publication use. */
interface PackUse {
  readonly blob: string
  readonly size: number
  /** Bytes that files still use. */
  readonly live: number
}

/**
 * The packs whose files should be copied into the pack of a new publication, given the files that
 * it reuses. These are the packs of which less than half is still used and, if there would be more
 * than twenty with the new one, all but the ten largest. A pack is a blob that contains pages.
 */
export function packsToCompact(files: Manifest['files']): ReadonlySet<string> {
  const uses = usesOf([...files.values()])
  const wellUsed = uses.filter(({ live, size }) => live * 2 >= size)
  const retained = wellUsed.length < mostPacks ? wellUsed : largest(wellUsed)
  const retainedBlobs = new Set(retained.map(({ blob }) => blob))
  return new Set(uses.map(({ blob }) => blob).filter((blob) => !retainedBlobs.has(blob)))
}

/** The largest packs. Equal sizes are ordered by name, so that the result is deterministic. */
function largest(uses: readonly PackUse[]): readonly PackUse[] {
  const bySize = uses.toSorted((a, b) => b.live - a.live || (a.blob < b.blob ? -1 : 1))
  return bySize.slice(0, packsToKeep)
}

function usesOf(files: readonly PublishedFile[]): PackUse[] {
  const packs = new Map<string, Map<string, BlobPart>>()
  for (const { page, blob } of files) if (page) packs.set(blob, new Map())
  for (const file of files) packs.get(file.blob)?.set(file.etag, file)
  return Array.from(packs, ([blob, parts]) => {
    const all = [...parts.values()]
    return { blob, size: all[0]?.blobSize ?? 0, live: all.reduce((sum, { size }) => sum + size, 0) }
  })
}

/**
 * The files of a publication by etag, except those in some packs. A new pack need not contain them
 * again.
 */
export function partsByEtag(files: Manifest['files'], except: ReadonlySet<string>): Map<string, BlobPart> {
  const stored = [...files.values()].filter(({ blob }) => !except.has(blob))
  return new Map(stored.map((file) => [file.etag, file]))
}

/** The files to copy, and the pack to copy them to. */
interface CompactInput {
  readonly files: Manifest['files']
  /** The packs that `packsToCompact` names. */
  readonly packs: ReadonlySet<string>
  readonly pack: Pack
}

/**
 * Copies the files of some packs into a new one. Resolves with the position of each file, by
 * address. Lost or damaged files are left out and must be rendered again.
 * Cost: reads each pack once, from the first used byte to the last, with one file in memory.
 * Errors: BlobsUnavailable; those of the pack's `add`.
 */
export async function compact(
  blobs: Blobs,
  { files, packs, pack }: CompactInput,
): Promise<Map<string, PackedBytes>> {
  const copied = new Map<string, PackedBytes>()
  for (const blob of packs) {
    const parts = partsIn(blob, files)
    for await (const [etag, bytes] of bytesOf(blobs, parts)) {
      const packed = await pack.add(bytes)
      // Damaged bytes stay in the pack, but no file uses them.
      if (packed.etag === etag) copied.set(etag, packed)
    }
  }
  return byAddress(files, packs, copied)
}

/** The used parts of a pack, each once, in the order of their positions. */
function partsIn(pack: string, files: Manifest['files']): BlobPart[] {
  const parts = new Map<string, BlobPart>()
  for (const file of files.values()) if (file.blob === pack) parts.set(file.etag, file)
  return [...parts.values()].sort((a, b) => a.start - b.start || a.size - b.size)
}

/**
 * Reads parts of one blob, each with its expected etag. Ends at the first part that cannot be read.
 */
async function* bytesOf(
  blobs: Blobs,
  parts: readonly BlobPart[],
): AsyncGenerator<[string, Uint8Array<ArrayBuffer>]> {
  let position = parts[0]?.start ?? 0
  const reader = await openParts(blobs, parts)
  if (!reader) return
  try {
    for (const { start, size, etag } of parts) {
      await reader.skip(start - position)
      const bytes = await reader.take(size)
      if (!bytes) return
      yield [etag, bytes]
      position = start + size
    }
  } catch (error) {
    if (!(error instanceof BlobCorrupt)) throw error
  } finally {
    await reader.close()
  }
}

/** Opens a reader at the first used byte; null when the pack is missing or truncated. */
async function openParts(blobs: Blobs, parts: readonly BlobPart[]) {
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last) return null
  const end = last.start + last.size - 1
  if (end < first.start) return createByteReader(noBytes())
  try {
    const bytes = await readRange(blobs, first.blob, { start: first.start, end })
    return bytes && createByteReader(bytes)
  } catch (error) {
    if (error instanceof BlobCorrupt) return null
    throw error
  }
}

function byAddress(
  files: Manifest['files'],
  packs: ReadonlySet<string>,
  copied: ReadonlyMap<string, PackedBytes>,
): Map<string, PackedBytes> {
  const found = new Map<string, PackedBytes>()
  for (const [address, { blob, etag }] of files) {
    const packed = packs.has(blob) ? copied.get(etag) : undefined
    if (packed) found.set(address, packed)
  }
  return found
}

/** Reads a given number of bytes at a time. */
interface ByteReader {
  /** Skips bytes, at most the rest of the source. */
  skip(count: number): Promise<void>
  /** Returns a copy of the next `count` bytes; null when there are fewer. */
  take(count: number): Promise<Uint8Array<ArrayBuffer> | null>
  /** Closes the source. */
  close(): Promise<void>
}

/** Creates a reader of a source. Memory: one chunk of the source and the bytes taken. */
export function createByteReader(source: Bytes): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array()
  /** Passes up to `count` bytes to `put`. Resolves with the number of bytes. */
  const pass = async (count: number, put: (bytes: Uint8Array, at: number) => void) => {
    let passed = 0
    while (passed < count) {
      if (chunk.length === 0) {
        const { done, value } = await chunks.next()
        if (done === true) break
        chunk = value
      }
      const some = chunk.subarray(0, count - passed)
      put(some, passed)
      passed += some.length
      chunk = chunk.subarray(some.length)
    }
    return passed
  }
  return {
    async skip(count) {
      await pass(count, () => {})
    },
    async take(count) {
      const filled = new Uint8Array(count)
      const size = await pass(count, (bytes, at) => filled.set(bytes, at))
      return size === count ? filled : null
    },
    async close() {
      await chunks.return?.()
    },
  }
}

/** Sorted texts, each as the number of characters it shares with the previous one, and the rest. */
export type FrontCoded = readonly (number | string)[]

/** Front-codes sorted texts. Halves the size of ids and of addresses in one section (measured). */
export function toFrontCoded(sorted: readonly string[]): FrontCoded {
  let before = ''
  return sorted.flatMap((text) => {
    const shared = sharedLength(before, text)
    before = text
    return [shared, text.slice(shared)]
  })
}

/** Decodes front-coded texts; null when the value is malformed. */
export function fromFrontCoded(coded: readonly unknown[]): string[] | null {
  const texts: string[] = []
  let before = ''
  for (let index = 0; index < coded.length; index += 2) {
    const shared = coded[index]
    const rest = coded[index + 1]
    if (typeof shared !== 'number' || typeof rest !== 'string') return null
    if (!Number.isSafeInteger(shared) || shared < 0 || shared > before.length) return null
    before = before.slice(0, shared) + rest
    texts.push(before)
  }
  return texts
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}
