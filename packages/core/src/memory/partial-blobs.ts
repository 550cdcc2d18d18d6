import {
  type Append,
  BlobAbsent,
  type Checksum,
  ChecksumMismatch,
  type Clock,
  durableEvery,
  endingWell,
  type PartialBlobs,
  requireCount,
  requirePartialId,
  StoreConflict,
  type StoredBlob,
} from '../ports/index.ts'
import { base64Of } from '../call/base64.ts'
import { joined } from '../call/collect.ts'
import { copiesOf } from './chunks.ts'

/** Makes a blob of bytes that nothing else holds. */
type Keep = (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredBlob>

/** A partial blob: its bytes in parts, which are never written to. */
interface HeldPartial {
  readonly id: string
  parts: Uint8Array<ArrayBuffer>[]
  size: number
  writtenDate: number
  /** Whether an append took over: who still writes to this one is refused. */
  isOver: boolean
}

/** Blobs that are still coming. What is in memory is as durable as it gets. */
export function memoryPartials(clock: Clock, keep: Keep): PartialBlobs {
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
      const partial = append.takesOver ? takenOver(find(id)) : find(id)
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
      return keep(firstBytes(find(id), size))
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

/** The same in a place of its own: an append that goes on in the other changes nothing of it, and ends. */
function takenOver(partial: HeldPartial): HeldPartial {
  partial.isOver = true
  return { ...partial, parts: [...partial.parts], isOver: false }
}

function firstBytes({ parts, size }: HeldPartial, end: number): Uint8Array<ArrayBuffer> {
  if (size < end)
    throw new BlobAbsent(`The upload has ${size} bytes, not ${end}: go on from where it was acknowledged.`)
  return joined(parts).slice(0, end)
}

function cut(partial: HeldPartial, end: number): void {
  if (partial.size === end) return
  partial.parts = [firstBytes(partial, end)]
  partial.size = end
}

/** Tells of every `durableEvery` bytes and of the end, wherever the chunks end. */
async function appendTo(partial: HeldPartial, { bytes, onDurable }: Append): Promise<number> {
  let told = partial.size
  const tell = async () => {
    if (partial.size === told) return
    told = partial.size
    await onDurable?.(told)
  }
  const ended = endingWell(bytes)
  for await (const chunk of ended.bytes) {
    for (let from = 0; from < chunk.length;) {
      const part = new Uint8Array(chunk.subarray(from, from + durableEvery - (partial.size - told)))
      from += part.length
      add(partial, part)
      if (partial.size - told === durableEvery) await tell()
    }
  }
  await tell()
  const failure = ended.failure()
  if (failure) throw failure.error
  return partial.size
}

async function appendProved(partial: HeldPartial, { bytes }: Append, checksum: Checksum): Promise<number> {
  const parts = await copiesOf(bytes)
  const digest = await base64Digest(checksum.algorithm, joined(parts))
  if (digest !== checksum.digest)
    throw new ChecksumMismatch('The bytes are not those of the checksum: send them again.')
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
