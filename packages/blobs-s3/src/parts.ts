import type { Bytes } from '@quire/core/ports'
import { type Buffers, pieceSize, type SharedBuffer } from './buffers.ts'

/** Bytes to be sent at once. */
export interface PartBody {
  /** Good until the next piece is asked for. */
  readonly bytes: Buffer
  /** Whether it is known that nothing comes after it. */
  readonly isLast: boolean
}

/**
 * The same bytes in pieces of at most `pieceSize`: shorter ones at the end, and where others wait for a buffer. No bytes are no piece. Chunks
 * are copied, as a source may use its buffer again. Cost: 256 KiB of its own, and a shared buffer for what does not fit.
 */
export async function* inPieces(bytes: Bytes, buffers: Buffers): AsyncGenerator<PartBody> {
  const gathering = createGathering(buffers)
  try {
    for await (const chunk of bytes) {
      for await (const piece of filledBy(chunk, gathering)) yield { bytes: piece, isLast: false }
    }
    const rest = gathering.bytes()
    if (rest.length > 0) yield { bytes: rest, isLast: true }
  } finally {
    gathering.clear()
  }
}

/** The pieces that become full with a chunk. */
async function* filledBy(chunk: Uint8Array, gathering: Gathering): AsyncGenerator<Buffer> {
  for (let accepted = 0; accepted < chunk.length;) {
    accepted += await gathering.add(chunk.subarray(accepted))
    if (!gathering.isFull()) continue
    yield gathering.bytes()
    gathering.clear()
  }
}

const smallestBuffer = 64 * 1024

/** Bytes of a piece that need no shared buffer: most files have no more. At twice, fifty uploads hold 12 MiB more. */
const ownSize = 256 * 1024

/** A piece that is coming in. */
interface Gathering {
  /** Takes bytes of a chunk; how many. None when no room was to be had: then the piece is full. */
  add(chunk: Uint8Array): Promise<number>
  isFull(): boolean
  bytes(): Buffer
  /** Begins the next one. */
  clear(): void
}

function createGathering(buffers: Buffers): Gathering {
  let own: Buffer = Buffer.alloc(0)
  let shared: SharedBuffer | null = null
  let used = 0
  let isCutShort = false
  const buffer = () => shared?.bytes ?? own

  async function grow(more: number): Promise<void> {
    if (own.length < ownSize) own = grown(own, used + more)
    if (used < own.length) return
    shared = await buffers.take()
    shared?.bytes.set(own.subarray(0, used))
    isCutShort = shared === null
  }

  return {
    async add(chunk) {
      if (used === buffer().length) await grow(chunk.length)
      const part = chunk.subarray(0, buffer().length - used)
      buffer().set(part, used)
      used += part.length
      return part.length
    },
    isFull: () => isCutShort || used === pieceSize || (shared?.isDue(used) ?? false),
    bytes: () => buffer().subarray(0, used),
    clear() {
      shared?.giveBack()
      shared = null
      used = 0
      isCutShort = false
    },
  }
}

/** A small upload does not cost the buffer of a large one. */
function grown(own: Buffer, needed: number): Buffer {
  let size = Math.max(own.length, smallestBuffer)
  while (size < Math.min(needed, ownSize)) size *= 2
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(own)
  return larger
}

/** All of a source that has little. */
export async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
