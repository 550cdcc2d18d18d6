import { BlobCorrupt, type Blobs } from '../../../ports/index.ts'
import { readingBytes } from './byte-reader.ts'
import type { BlobPart, Manifest, PublishedFile } from './manifest.ts'
import type { Pack, PackedBytes } from './pack.ts'
import { noBytes, readRange } from './read-part.ts'

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
export interface Copying {
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
