import type { Blobs, ByteRange, Bytes, BlobListing } from '@quire/core/ports'
import { it } from 'vitest'

/** Binaries made for one test, empty. */
export interface OpenedBlobs {
  readonly blobs: Blobs
  /** Opens what was kept, as a new process would. Only durable adapters have it. */
  readonly reopen?: () => Promise<Blobs>
  /** Changes a bit of the last byte of a kept blob behind the adapter's back. Left out where nothing can. */
  readonly damage?: (hash: string) => Promise<void>
  /** Removes everything. */
  readonly close: () => Promise<void>
}

/** Makes empty binaries for one test. */
export type OpenBlobs = () => Promise<OpenedBlobs>

/** Vitest's `it` with binaries of its own for each test. */
export function blobTest(open: OpenBlobs) {
  return it
    .extend('opened', async ({ task: _task }, { onCleanup }) => {
      const opened = await open()
      onCleanup(opened.close)
      return opened
    })
    .extend('blobs', ({ opened }) => opened.blobs)
}

/** What declares the tests of binaries. */
export type BlobTest = ReturnType<typeof blobTest>

/** Stops a test with a reason that is printed. */
export type Skip = (reason: string) => never

/** `damage`, or the end of the test where nothing can be damaged. */
export function damageOf({ damage }: OpenedBlobs, skip: Skip): (hash: string) => Promise<void> {
  return damage ?? skip('Nothing can change these bytes from outside.')
}

/** An id of a partial blob; each digit of Crockford's base 32 gives another. */
export function partialId(digit: string): string {
  return `UPLD_01JXSC6G00000000000000000${digit}`
}

/** The id of a partial blob. */
export const uploadId = partialId('1')

/** All bytes of a blob or of a part of it; null when it is absent. */
export async function readAll(blobs: Blobs, hash: string, range?: ByteRange): Promise<Uint8Array | null> {
  const bytes = await blobs.read(hash, range)
  return bytes && joined(bytes)
}

/** All that a source gives. */
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

/** All that is listed. */
export async function listed<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}

/** The hashes that are listed. */
export async function hashesIn(blobs: Blobs): Promise<readonly string[]> {
  const stored: readonly BlobListing[] = await listed(blobs.list())
  return stored.map(({ hash }) => hash)
}
