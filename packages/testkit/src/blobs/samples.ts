import type { Bytes, Checksum } from '@quire/core/ports'

/** KiB and MiB in bytes. */
export const KiB = 1024
export const MiB = 1024 * KiB

/** Bytes that look random, the same for the same seed. No part of them repeats. */
export function sampleBytes(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4))
  let state = seed
  for (let index = 0; index < words.length; index += 1) {
    // A linear congruential generator with full period (Numerical Recipes, 7.1). The high bits are
    // mixed into the low ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words[index] = state ^ (state >>> 13)
  }
  return new Uint8Array(words.buffer, 0, size)
}

/** The bytes in chunks, by default of a size that no buffer size is a multiple of. */
export async function* inChunks(bytes: Uint8Array, size = 60_007): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** The bytes in chunks that all use the same buffer. */
export async function* inOneBuffer(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size)
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size)
    buffer.set(chunk)
    yield buffer.subarray(0, chunk.length)
    buffer.fill(0)
  }
}

/** The bytes, followed by an error, as when a client disconnects. */
export async function* brokenOff(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes)
  throw error
}

/** A network error of a source, with a code that must not be mistaken for a disk error. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read', errno: -104 })
}

/** A source that reports whether it was released. */
export function watched(bytes: Bytes): { readonly bytes: Bytes; readonly isReleased: () => boolean } {
  let released = false
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } finally {
      released = true
    }
  }
  return { bytes: source(), isReleased: () => released }
}

/** The SHA-256 of bytes in hexadecimal. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function checksumOf(
  algorithm: Checksum['algorithm'],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Checksum> {
  const name = algorithm === 'sha1' ? 'SHA-1' : 'SHA-256'
  const digest = new Uint8Array(await crypto.subtle.digest(name, bytes))
  return { algorithm, digest: btoa(String.fromCharCode(...digest)) }
}

/** Whether two arrays have the same bytes. Vitest's `expect` takes minutes to compare megabytes. */
export function isSame(some: Uint8Array | null, others: Uint8Array): boolean {
  if (some?.length !== others.length) return false
  for (let index = 0; index < others.length; index += 1) if (some[index] !== others[index]) return false
  return true
}
