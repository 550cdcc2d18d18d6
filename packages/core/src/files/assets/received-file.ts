import { type BytesIn, limits, QuireError } from '@quire/contract'
import { type Call } from '../../engine/call.ts'
import type { HookFile } from '../../engine/hooks/hooks.ts'
import { collect } from '../../engine/paging.ts'
import { iterated } from '../../engine/served-bytes.ts'
import type { Asset } from '../../content/items/asset.ts'
import { plainFileName } from './file-name.ts'
import { wholeBlob } from './stored-bytes.ts'
import { sniff, sniffedBytes } from './file-types.ts'
import { MediaRefused, type Bytes, type ImageInfo, type StoredBlob } from '../../ports/index.ts'

/**
 * A stored file of known type. `run` passes it to operations instead of the bytes that were sent.
 */
export class ReceivedFile implements BytesIn {
  readonly asset: Asset
  /** Its text, to be stored with it; null when there is none. */
  readonly text: string | null
  readonly #read: () => AsyncIterable<Uint8Array>

  constructor(asset: Asset, read: () => AsyncIterable<Uint8Array>, text: string | null = null) {
    this.asset = asset
    this.text = text
    this.#read = read
  }

  /** The same file with its text. */
  withText(text: string | null): ReceivedFile {
    return new ReceivedFile(this.asset, this.#read, text)
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#read()
  }
}

/** A stored file as hooks see it. */
export function fileForHooks({ fileName, mimeType, size, width, height }: Asset): HookFile {
  return { fileName, mimeType, size, width, height }
}

/** The asset of the file that an operation was sent. Only `receiveFile` creates such files. */
export function assetOfFile(file: BytesIn): Asset {
  return receivedOf(file).asset
}

/** The file that an operation was sent, with its text. */
export function receivedOf(file: BytesIn): ReceivedFile {
  if (file instanceof ReceivedFile) return file
  throw new TypeError('A file must be stored before it is passed to an operation.')
}

/**
 * Stores the bytes of a file before any row refers to them (TRUST 3.2), and determines their type.
 * Errors: `too_large`; `unavailable` while too many images are being inspected; BlobsUnavailable.
 */
export async function receiveFile(
  call: Call,
  file: BytesIn,
  name: string | undefined,
): Promise<ReceivedFile> {
  if ((file.size ?? 0) > limits.fileBytes) throw tooLarge()
  const blob = await call.environment.blobs.put(bounded(file.stream(), limits.fileBytes))
  return describeFile(call, blob, name)
}

/** Describes a stored blob as the binary of an asset. */
export async function describeFile(
  call: Call,
  blob: StoredBlob,
  sentName: string | undefined,
): Promise<ReceivedFile> {
  const { blobs } = call.environment
  const { hash, size } = blob
  const fileName = plainFileName(sentName)
  const head = size === 0 ? new Uint8Array() : await headOf(call, blob)
  const sniffed = await sniff(head, fileName)
  const picture = await probe(call, blob, sniffed.mimeType)
  const asset: Asset = {
    hash,
    size,
    ...sniffed,
    fileName,
    storage: blobs.name,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    pages: picture?.pages ?? null,
    focalPoint: null,
    renditions: [],
  }
  return new ReceivedFile(asset, () => readStored(call, hash))
}

async function* readStored(call: Call, hash: string): AsyncGenerator<Uint8Array> {
  yield* (await call.environment.blobs.read(hash)) ?? []
}

async function headOf(call: Call, { hash, size }: StoredBlob): Promise<Uint8Array> {
  const end = Math.min(size, sniffedBytes) - 1
  const bytes = await call.environment.blobs.read(hash, { start: 0, end })
  return bytes ? collect(bytes) : new Uint8Array()
}

/**
 * The size of an image; null for everything else, and for images from which no renditions can be
 * made.
 */
async function probe(call: Call, blob: StoredBlob, mimeType: string): Promise<ImageInfo | null> {
  if (!/^image\/(?!svg)/.test(mimeType) || blob.size > limits.renditionSource) return null
  try {
    return await call.environment.media.probe(() => wholeBlob(call, blob))
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error
    if (error.kind === 'busy') throw new QuireError('unavailable', undefined, { cause: error })
    return null
  }
}

function tooLarge(): QuireError {
  return new QuireError('too_large', `A file has at most ${limits.fileBytes} bytes.`)
}

async function* bounded(bytes: Bytes | ReadableStream<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of iterated(bytes)) {
    size += chunk.length
    if (size > most) throw tooLarge()
    yield chunk
  }
}
