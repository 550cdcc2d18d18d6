import { limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { takeSlots } from '../../engine/take-slots.ts'
import type { Bytes } from '../../ports/index.ts'

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly lastModified: Date
  /** Bytes; absent for a text. */
  readonly size?: number
  readonly input: Bytes | string
}

/** An archive that is to be answered. */
export interface Archive {
  readonly fileName: string
  /** The files one after another, from when the first byte is read. */
  readonly files: () => AsyncGenerator<ArchiveFile>
}

/** Files as one ZIP archive: stored as they are, streamed while it is read. Errors, when read: `too_many_requests` while too many others are. */
export function servedArchive(call: Call, { fileName, files }: Archive): ServedBytes {
  return new ServedBytes({
    mimeType: 'application/zip',
    fileName,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    // Whether there is a place is known before the first byte; it is taken with that, so that who leaves before holds none.
    async open() {
      takeBoth(call)()
      return archiveOf(call, files)
    },
  })
}

/** A file whose bytes are opened with it. Who leaves the archive leaves this, and nobody the file that it stands at: it is closed here. */
export async function* openedFile(
  bytes: Bytes,
  about: Omit<ArchiveFile, 'input'>,
): AsyncGenerator<ArchiveFile> {
  const iterator = bytes[Symbol.asyncIterator]()
  try {
    yield { ...about, input: { [Symbol.asyncIterator]: () => iterator } }
  } finally {
    await iterator.return?.()
  }
}

/** Takes a place of the caller's and one of all; the answer gives both back. */
function takeBoth({ shared, identity }: Call): () => void {
  return takeSlots(shared, {
    own: [`zip ${identity.kind}:${identity.id}`, limits.zipsOfOne],
    all: ['zip', limits.zipsOfAll],
  })
}

/** The archive. A generator that was never read does nothing when it is left: all that it holds it takes with its first byte. */
async function* archiveOf(call: Call, files: Archive['files']): AsyncGenerator<Uint8Array> {
  const release = takeBoth(call)
  try {
    const { makeZip } = await import('client-zip')
    yield* chunksOf(makeZip(files()))
  } finally {
    release()
  }
}

// Not every browser gives the chunks of a stream to a loop.
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
