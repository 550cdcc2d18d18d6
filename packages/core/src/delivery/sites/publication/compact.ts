import type { BlobPart, Manifest, PublishedFile } from './manifest.ts'
import { type Pack, type PackedBytes, noBytes, readRange } from './pack.ts'
import { BlobCorrupt, type Blobs, type Bytes } from '../../../ports/index.ts'

/** Packs that a publication may point into: each is a file that backups and the scrub look at. At half, pages are copied twice as often. */
const mostPacks = 20

/** Packs that stay when there are too many: the largest. What is copied is small, and copied again only after ten more publications. */
const packsThatStay = 10

/** A pack as the files of a publication see it. */
interface Use {
  readonly blob: string
  readonly size: number
  /** Bytes that files still point at. */
  readonly live: number
}

/**
 * The packs whose files are to be copied into the one that a publication is about to write, given the files that it takes from
 * publications before. First those of which less than half is still pointed at; then, when there would be more than twenty with the
 * new one, all but the ten largest. Empty: none. A pack is a blob that pages point into.
 */
export function packsToCompact(files: Manifest['files']): ReadonlySet<string> {
  const uses = usesOf([...files.values()])
  const sound = uses.filter(({ live, size }) => live * 2 >= size)
  const stay = sound.length < mostPacks ? sound : largest(sound)
  const staying = new Set(stay.map(({ blob }) => blob))
  return new Set(uses.map(({ blob }) => blob).filter((blob) => !staying.has(blob)))
}

/** Equal sizes are told apart by name, so that every run finds the same. */
function largest(uses: readonly Use[]): readonly Use[] {
  const bySize = uses.toSorted((a, b) => b.live - a.live || (a.blob < b.blob ? -1 : 1))
  return bySize.slice(0, packsThatStay)
}

function usesOf(files: readonly PublishedFile[]): Use[] {
  const packs = new Map<string, Map<string, BlobPart>>()
  for (const { page, blob } of files) if (page) packs.set(blob, new Map())
  for (const file of files) packs.get(file.blob)?.set(file.etag, file)
  return Array.from(packs, ([blob, parts]) => {
    const all = [...parts.values()]
    return { blob, size: all[0]?.blobSize ?? 0, live: all.reduce((sum, { size }) => sum + size, 0) }
  })
}

/** The files of a publication by what is in them, without those in some packs: what a new pack need not have again. */
export function partsByEtag(files: Manifest['files'], except: ReadonlySet<string>): Map<string, BlobPart> {
  const stored = [...files.values()].filter(({ blob }) => !except.has(blob))
  return new Map(stored.map((file) => [file.etag, file]))
}

/** What is copied, and where to. */
interface Copying {
  readonly files: Manifest['files']
  /** The packs that `packsToCompact` names. */
  readonly packs: ReadonlySet<string>
  readonly pack: Pack
}

/**
 * Copies the files of some packs into a new one; resolves with where each is, by address. One that is lost or damaged is not among
 * them: it is to be rendered anew. Cost: reads each pack once, from the first byte in use to the last; one file is in memory.
 * Errors: BlobsUnavailable; what `add` of the pack fails with.
 */
export async function compact(
  blobs: Blobs,
  { files, packs, pack }: Copying,
): Promise<Map<string, PackedBytes>> {
  const copied = new Map<string, PackedBytes>()
  for (const blob of packs) {
    const parts = partsIn(blob, files)
    for await (const [etag, bytes] of bytesOf(blobs, parts)) {
      const packed = await pack.add(bytes)
      // Damaged bytes are in the pack then, but nothing points at them.
      if (packed.etag === etag) copied.set(etag, packed)
    }
  }
  return byAddress(files, packs, copied)
}

/** What is in use of a pack, each part once, as it lies there. */
function partsIn(pack: string, files: Manifest['files']): BlobPart[] {
  const parts = new Map<string, BlobPart>()
  for (const file of files.values()) if (file.blob === pack) parts.set(file.etag, file)
  return [...parts.values()].sort((a, b) => a.start - b.start || a.size - b.size)
}

/** The bytes of parts of one blob with the etag that they should have; ends at the first that cannot be read. */
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

/** A reader from the first byte in use on; null when the pack is lost or was cut. */
async function openParts(blobs: Blobs, parts: readonly BlobPart[]) {
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last) return null
  const end = last.start + last.size - 1
  if (end < first.start) return readingBytes(noBytes())
  try {
    const bytes = await readRange(blobs, first.blob, { start: first.start, end })
    return bytes && readingBytes(bytes)
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

/** Reads bytes by count, from the first on. */
interface ByteReader {
  /** Passes over so many bytes, or all that are left. */
  skip(count: number): Promise<void>
  /** The next so many bytes, copied; null when there are fewer. */
  take(count: number): Promise<Uint8Array<ArrayBuffer> | null>
  /** Releases what is read. */
  close(): Promise<void>
}

/** Reads a source by count. Memory: one chunk of it and what is taken. */
export function readingBytes(source: Bytes): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array()
  /** Hands on up to `count` bytes; resolves with how many there were. */
  const pass = async (count: number, put: (bytes: Uint8Array, at: number) => void) => {
    let proxied = 0
    while (proxied < count) {
      if (chunk.length === 0) {
        const { done, value } = await chunks.next()
        if (done === true) break
        chunk = value
      }
      const some = chunk.subarray(0, count - proxied)
      put(some, proxied)
      proxied += some.length
      chunk = chunk.subarray(some.length)
    }
    return proxied
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

/** Sorted texts: for each how many characters it shares with the one before, and the rest of it. */
export type FrontCoded = readonly (number | string)[]

/** Texts in which many begin as the one before. Half the size for ids and for addresses of one section (measured). */
export function frontCoded(sorted: readonly string[]): FrontCoded {
  let before = ''
  return sorted.flatMap((text) => {
    const shared = sharedLength(before, text)
    before = text
    return [shared, text.slice(shared)]
  })
}

/** The texts; null when they are not front-coded. */
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
