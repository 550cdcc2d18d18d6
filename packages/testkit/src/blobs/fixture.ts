import type { Blobs, ByteRange, Bytes, BlobListing } from '@quire/core/ports'
import { it } from 'vitest'

/** An empty blob store for one test. */
export interface OpenedBlobs {
  readonly blobs: Blobs
  /** Opens the stored data, as a new process would. Only durable adapters have it. */
  readonly reopen?: () => Promise<Blobs>
  /**
   * Flips a bit in the last byte of a stored blob, bypassing the adapter. Absent where that is not
   * possible.
   */
  readonly damage?: (hash: string) => Promise<void>
  /** Removes everything. */
  readonly close: () => Promise<void>
}

/** Opens an empty blob store for one test. */
export type OpenBlobs = () => Promise<OpenedBlobs>

interface BlobFixtures {
  readonly opened: OpenedBlobs
  readonly blobs: Blobs
}

/** Vitest's `it`, with a separate blob store for each test. As vitest 3 knows it. */
export function blobTest(open: OpenBlobs) {
  return it.extend<BlobFixtures>({
    opened: async ({ task: _task }, use) => {
      const opened = await open()
      await use(opened)
      await opened.close()
    },
    blobs: async ({ opened }, use) => use(opened.blobs),
  })
}

/** The function that declares tests of blobs. */
export type BlobTest = ReturnType<typeof blobTest>

/** Skips a test and prints the reason. */
export type Skip = (reason: string) => never

/** Returns `damage`, or skips the test where blobs cannot be damaged. */
export function damageOf({ damage }: OpenedBlobs, skip: Skip): (hash: string) => Promise<void> {
  return damage ?? skip('Nothing can change these bytes from outside.')
}

/** An id of a partial blob. Each digit of Crockford's base 32 gives a different one. */
export function partialId(digit: string): string {
  return `UPLD_01JXSC6G00000000000000000${digit}`
}

/** The usual id of a partial blob. */
export const uploadId = partialId('1')

/** All bytes of a blob or of a part of it; null when it is absent. */
export async function readAll(blobs: Blobs, hash: string, range?: ByteRange): Promise<Uint8Array | null> {
  const bytes = await blobs.read(hash, range)
  return bytes && joined(bytes)
}

/** All bytes of a source. */
export async function joined(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = await listed(bytes)
  const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.length
  }
  return all
}

/** All entries of a list. */
export async function listed<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}

/** The hashes of all listed blobs. */
export async function hashesIn(blobs: Blobs): Promise<readonly string[]> {
  const stored: readonly BlobListing[] = await listed(blobs.list())
  return stored.map(({ hash }) => hash)
}
