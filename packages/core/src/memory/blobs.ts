import {
  BlobCorrupt,
  type Blobs,
  type ByteRange,
  type Clock,
  type KeptBlob,
  requireHash,
  type StoredBlob,
} from '../ports/index.ts'
import { digestOf } from '../call/digest.ts'
import { inPieces, joined } from '../call/collect.ts'
import { copiesOf } from './chunks.ts'
import { memoryDerived } from './derived-blobs.ts'
import { systemClock } from './environment.ts'
import { memoryPartials } from './partial-blobs.ts'

interface HeldBlob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly writtenDate: number
}

/** Binaries in memory, in Node and in browsers: for tests and for trying things out. They are gone with the process. */
export function memoryBlobs(clock: Clock = systemClock()): Blobs {
  const held = new Map<string, HeldBlob>()
  const keep = async (bytes: Uint8Array<ArrayBuffer>): Promise<StoredBlob> => {
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
    put: async (bytes) => keep(joined(await copiesOf(bytes))),
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
    derived: memoryDerived(),
    partials: memoryPartials(clock, keep),
    ping: async () => {},
  }
}

function partOf(bytes: Uint8Array, { start, end }: ByteRange): Uint8Array {
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!fits || end >= bytes.length)
    throw new RangeError(`Bytes ${start} to ${end} are no part of a blob of ${bytes.length} bytes.`)
  return bytes.subarray(start, end + 1)
}

async function* inOrder(held: ReadonlyMap<string, HeldBlob>): AsyncGenerator<KeptBlob> {
  for (const hash of [...held.keys()].sort()) {
    const blob = held.get(hash)
    if (blob) yield { hash, size: blob.bytes.length, writtenDate: blob.writtenDate }
  }
}
