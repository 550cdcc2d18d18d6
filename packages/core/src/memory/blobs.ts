import {
  BlobCorrupt,
  type Blobs,
  type Clock,
  type BlobListing,
  type StoredBlob,
  type ByteRange,
  type DerivedBlob,
  type DerivedBlobs,
  type DerivedName,
  type Append,
  BlobAbsent,
  type Checksum,
  ChecksumMismatch,
  durableEvery,
  type PartialBlobs,
  StoreConflict,
  type Bytes,
} from '../ports/index.ts'
import { endingWell } from '../adapters/ending-well.ts'
import { requireHash, requireRecipe, requireCount, requirePartialId } from '../adapters/blob-names.ts'
import { digestOf } from '../engine/digest.ts'
import { base64Of } from '../adapters/base64.ts'
import { inPieces, joined } from '../engine/paging.ts'
import { systemClock } from '../adapters/system.ts'

interface HeldBlob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly writtenDate: number
}

/**
 * Blobs in memory, for Node and browsers: for tests and experiments. They are lost when the process
 * ends.
 */
export function memoryBlobs(clock: Clock = systemClock()): Blobs {
  const held = new Map<string, HeldBlob>()
  const retain = async (bytes: Uint8Array<ArrayBuffer>): Promise<StoredBlob> => {
    const hash = await digestOf(bytes)
    held.set(hash, { bytes, writtenDate: clock.now() })
    return { hash, size: bytes.length }
  }
  const find = (hash: string) => {
    requireHash(hash)
    return held.get(hash)?.bytes ?? null
  }
  return {
    name: 'memory',
    put: async (bytes) => retain(joined(await copiesOf(bytes))),
    async stat(hash) {
      const bytes = find(hash)
      return bytes && { hash, size: bytes.length }
    },
    async read(hash, range) {
      const bytes = find(hash)
      if (!bytes) return null
      if (range) return inPieces(partOf(bytes, range))
      if ((await digestOf(bytes)) !== hash) throw new BlobCorrupt(hash)
      return inPieces(bytes)
    },
    async verify(hash) {
      const bytes = find(hash)
      if (!bytes) return 'missing'
      return (await digestOf(bytes)) === hash ? 'sound' : 'corrupt'
    },
    async delete(hash, writtenBefore = Number.POSITIVE_INFINITY) {
      requireHash(hash)
      if ((held.get(hash)?.writtenDate ?? 0) <= writtenBefore) held.delete(hash)
    },
    list: () => inOrder(held),
    derived: memoryDerived(clock),
    partials: memoryPartials(clock, retain),
    ping: async () => {},
  }
}

async function* inOrder(held: ReadonlyMap<string, HeldBlob>): AsyncGenerator<BlobListing> {
  for (const hash of [...held.keys()].sort()) {
    const blob = held.get(hash)
    if (blob) yield { hash, size: blob.bytes.length, writtenDate: blob.writtenDate }
  }
}

interface HeldDerived extends DerivedBlob {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Derived blobs in memory. */
function memoryDerived(clock: Clock): DerivedBlobs {
  const held = new Map<string, HeldDerived>()
  const isSound = async ({ bytes, hash }: HeldDerived) => (await digestOf(bytes)) === hash
  return {
    async find(name) {
      const found = held.get(keyOf(name))
      return found ? about(found) : null
    },
    async retain({ source, recipe }, given) {
      const key = keyOf({ source, recipe })
      const bytes = new Uint8Array(given)
      const blob = { hash: await digestOf(bytes), size: bytes.length }
      held.set(key, { source, recipe, ...blob, usedDate: clock.now(), bytes })
      return blob
    },
    async read({ source, recipe, hash }, range?: ByteRange) {
      const found = held.get(keyOf({ source, recipe }))
      if (found?.hash !== hash) return null
      if (range) return inPieces(partOf(found.bytes, range))
      if (!(await isSound(found))) throw new BlobCorrupt(hash)
      return inPieces(found.bytes)
    },
    async verify(name) {
      const found = held.get(keyOf(name))
      if (!found) return 'missing'
      return (await isSound(found)) ? 'sound' : 'corrupt'
    },
    async use(name) {
      const found = held.get(keyOf(name))
      if (found) held.set(keyOf(name), { ...found, usedDate: clock.now() })
    },
    async remove(name) {
      held.delete(keyOf(name))
    },
    async forget(source) {
      requireHash(source)
      for (const [key, entry] of held) if (entry.source === source) held.delete(key)
    },
    async *list() {
      for (const { source, recipe, size, usedDate } of held.values()) yield { source, recipe, size, usedDate }
    },
  }
}

function about({ source, recipe, hash, size, usedDate }: HeldDerived): DerivedBlob {
  return { source, recipe, hash, size, usedDate }
}

function keyOf({ source, recipe }: DerivedName): string {
  requireHash(source)
  requireRecipe(recipe)
  return `${source} ${recipe}`
}

/** Stores bytes that nothing else refers to as a blob. */
type StoreBytes = (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredBlob>

/** A partial blob: its bytes in parts, which are never changed. */
interface HeldPartial {
  readonly id: string
  parts: Uint8Array<ArrayBuffer>[]
  size: number
  writtenDate: number
  /** Whether another append took over: further writes of this one are refused. */
  isOver: boolean
}

/** Partial blobs in memory, where every byte counts as durable at once. */
function memoryPartials(clock: Clock, retain: StoreBytes): PartialBlobs {
  const partials = new Map<string, HeldPartial>()
  const find = (id: string) => {
    requirePartialId(id)
    const partial = partials.get(id)
    if (!partial) throw new BlobAbsent(`There is no upload ${id}: begin it again.`)
    return partial
  }
  return {
    async begin(id, size) {
      requirePartialId(id)
      requireCount(size)
      partials.set(id, { id, parts: [], size: 0, writtenDate: clock.now(), isOver: false })
    },
    async append(id, append) {
      requireCount(append.offset)
      const partial = append.takesOver ? supersededBy(find(id)) : find(id)
      partials.set(id, partial)
      cut(partial, append.offset)
      try {
        return await (append.checksum
          ? appendProved(partial, append, append.checksum)
          : appendTo(partial, append))
      } finally {
        partial.writtenDate = clock.now()
      }
    },
    async finish(id, size) {
      requireCount(size)
      return retain(firstBytes(find(id), size))
    },
    async discard(id) {
      requirePartialId(id)
      partials.delete(id)
    },
    async *list() {
      for (const [id, { size, writtenDate }] of partials) yield { id, size, writtenDate }
    },
  }
}

/**
 * A copy for the append that takes over. The other append no longer affects it, and ends at its
 * next write.
 */
function supersededBy(partial: HeldPartial): HeldPartial {
  partial.isOver = true
  return { ...partial, parts: [...partial.parts], isOver: false }
}

function firstBytes({ parts, size }: HeldPartial, end: number): Uint8Array<ArrayBuffer> {
  if (size < end)
    throw new BlobAbsent(
      `The upload has ${size} bytes, not ${end}: continue from the last acknowledged byte.`,
    )
  return joined(parts).slice(0, end)
}

function cut(partial: HeldPartial, end: number): void {
  if (partial.size === end) return
  partial.parts = [firstBytes(partial, end)]
  partial.size = end
}

/** Reports every `durableEvery` bytes and the end, regardless of where the chunks end. */
async function appendTo(partial: HeldPartial, { bytes, onDurable }: Append): Promise<number> {
  let reported = partial.size
  const notify = async () => {
    if (partial.size === reported) return
    reported = partial.size
    await onDurable?.(reported)
  }
  const ended = endingWell(bytes)
  for await (const chunk of ended.bytes) {
    for (let from = 0; from < chunk.length;) {
      const part = new Uint8Array(chunk.subarray(from, from + durableEvery - (partial.size - reported)))
      from += part.length
      add(partial, part)
      if (partial.size - reported === durableEvery) await notify()
    }
  }
  await notify()
  const failure = ended.failure()
  if (failure) throw failure.error
  return partial.size
}

async function appendProved(partial: HeldPartial, { bytes }: Append, checksum: Checksum): Promise<number> {
  const parts = await copiesOf(bytes)
  const digest = await base64Digest(checksum.algorithm, joined(parts))
  if (digest !== checksum.digest)
    throw new ChecksumMismatch('The bytes do not match the checksum: send them again.')
  for (const part of parts) add(partial, part)
  return partial.size
}

function add(partial: HeldPartial, part: Uint8Array<ArrayBuffer>): void {
  if (partial.isOver) throw new StoreConflict('stale', partial.id)
  partial.parts.push(part)
  partial.size += part.length
}

async function base64Digest(
  algorithm: Checksum['algorithm'],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = algorithm === 'sha1' ? 'SHA-1' : 'SHA-256'
  const digest = new Uint8Array(await crypto.subtle.digest(name, bytes))
  return base64Of(digest)
}

/** All chunks of a source, copied because the source may reuse its buffer. */
async function copiesOf(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk))
  return chunks
}

/** A range of bytes. Errors: RangeError if it is not within them. */
function partOf(bytes: Uint8Array, { start, end }: ByteRange): Uint8Array {
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!fits || end >= bytes.length)
    throw new RangeError(`Bytes ${start} to ${end} are not part of a blob of ${bytes.length} bytes.`)
  return bytes.subarray(start, end + 1)
}
