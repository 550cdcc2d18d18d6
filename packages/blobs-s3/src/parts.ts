import type { Bytes } from '@quire/core/ports'
import { type Buffers, pieceSize, type SharedBuffer } from './buffers.ts'

/** Bytes to send at once. */
export interface PartBody {
  /** Valid until the next piece is requested. */
  readonly bytes: Buffer
  /** Whether this is known to be the last piece. */
  readonly isLast: boolean
}

/**
 * Splits bytes into pieces of at most `pieceSize`. The last piece may be shorter, and so may others
 * while callers wait for a buffer. An empty source gives no piece. Chunks are copied, because a
 * source may reuse its buffer. Cost: 256 KiB of its own, and a shared buffer for larger pieces.
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

/** The pieces that a chunk completes. */
async function* filledBy(chunk: Uint8Array, gathering: Gathering): AsyncGenerator<Buffer> {
  for (let accepted = 0; accepted < chunk.length;) {
    accepted += await gathering.add(chunk.subarray(accepted))
    if (!gathering.isFull()) continue
    yield gathering.bytes()
    gathering.clear()
  }
}

const smallestBuffer = 64 * 1024

/**
 * Bytes of a piece that need no shared buffer: most files are not larger. At twice, fifty uploads
 * use 12 MiB more.
 */
const ownSize = 256 * 1024

/** The piece that is being collected. */
interface Gathering {
  /**
   * Adds bytes of a chunk and returns how many. Returns 0 when no buffer was available: then the
   * piece is full.
   */
  add(chunk: Uint8Array): Promise<number>
  isFull(): boolean
  bytes(): Buffer
  /** Starts the next piece. */
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

/** Grows step by step, so that a small upload does not need the buffer of a large one. */
function grown(own: Buffer, needed: number): Buffer {
  let size = Math.max(own.length, smallestBuffer)
  while (size < Math.min(needed, ownSize)) size *= 2
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(own)
  return larger
}

/** Joins the bytes of a small source. */
export async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
