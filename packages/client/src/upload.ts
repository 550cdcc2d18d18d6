import type { Api, Item } from '@quire/contract'
import { QuireError } from '@quire/contract/client'
import { untilAborted } from './until-aborted.ts'
import { uploadKey } from './upload-key.ts'

/** What becomes of an upload, and how it is watched. */
export interface UploadOptions {
  /** The repository, by id or name. */
  readonly repositoryId: string
  readonly packageName?: string
  /** The asset of which the file is a new version. Default: a new asset. */
  readonly itemId?: string
  /** Content type. Default: the only one that takes such a file. */
  readonly type?: string
  /** Name of the asset. Default: the file's. */
  readonly name?: string
  readonly folderId?: string
  /** Custom values. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Told after each piece: bytes that the service keeps, of all. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void
  /** Stops; what was sent is kept for a day. */
  readonly signal?: AbortSignal
  /**
   * Remembers uploads that were begun, so that the same file goes on where it was cut, after a reload as well. The same are: all
   * options that say what becomes of it (`repositoryId`, `packageName`, `itemId`, `type`, `name`, `folderId`, `fields`), name, media
   * type, size and date of the file, and its first and last 64 KiB (SHA-256). What lies between is not read: of a Blob, which has
   * neither name nor date, give no other of the same size that differs in the middle alone. A page that came over plain http
   * cannot compute this and remembers nothing.
   *
   * @default undefined // a cut upload begins anew
   * @example localStorage
   */
  readonly memory?: UploadMemory
  /**
   * Bytes of a piece: what is sent again at most.
   *
   * @default 8_388_608
   */
  readonly pieceBytes?: number
  /**
   * Milliseconds that a piece may take before it counts as cut, and what the service has of it is asked. The last one may take
   * five times as long: the service makes the asset while it is waited for.
   *
   * @default 120_000 // for each 8 MiB of `pieceBytes` that are begun
   */
  readonly pieceTimeoutMs?: number
  /**
   * Milliseconds before a piece, or the beginning, is tried again, doubled each time; five times in vain end it.
   *
   * @default 500
   */
  readonly backoffMs?: number
}

/** Where begun uploads are remembered: `localStorage`, or three functions of your own. */
export interface UploadMemory {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

type Uploaded = Awaited<ReturnType<Api['uploads']['get']>>

/** The part of an Api that an upload needs. */
type Uploading = Pick<Api, 'uploads' | 'items'>

const mostTries = 5

const usualPieceBytes = 8 * 1024 * 1024

/** For 8 MiB: 70 KB/s. At half of it slow lines are cut again and again, at twice a dead one is noticed later. */
const usualPieceMs = 120_000

/** A last piece may take so many times as long. At 1, an asset that is slow to make is begun anew before it is there. */
const lastPieceFactor = 5

/**
 * Uploads a file in pieces, each tried again where the line breaks, and answers the item that it became. A `File` of a browser, or
 * what `openAsBlob` of node:fs gives. Errors: QuireError of the service; the signal's reason when aborted.
 */
export async function uploadFile(api: Uploading, file: Blob, options: UploadOptions): Promise<Item> {
  const { signal, repositoryId, packageName } = options
  const metadata = metadataOf(file, options)
  const remembered = await rememberedIn(options.memory, () => uploadKey(file, metadata))
  let upload =
    (await known(api, remembered.uploadId, signal)) ?? (await begin(api, { file, metadata, options }))
  remembered.retain(upload.id)
  while (upload.itemId === null) {
    options.onProgress?.({ sent: upload.offset, total: file.size })
    upload = await sendPiece(api, { upload, file, options })
  }
  options.onProgress?.({ sent: file.size, total: file.size })
  const line = packageName === undefined ? {} : { packageName }
  const call = { configId: repositoryId, ...line, id: upload.itemId }
  // Without `select` an item comes whole.
  const item = (await api.items.get(call, signal && { signal })) as Item
  // Only now: whoever is cut off here and uploads the file again gets this item, and makes no second one.
  remembered.forget()
  return item
}

/** What a memory holds of one upload. */
interface Remembered {
  readonly uploadId: string | null
  retain(uploadId: string): void
  forget(): void
}

async function rememberedIn(
  memory: UploadMemory | undefined,
  keyOf: () => Promise<string | null>,
): Promise<Remembered> {
  const key = memory ? await keyOf() : null
  if (!memory || key === null) return { uploadId: null, retain: () => undefined, forget: () => undefined }
  return {
    uploadId: memory.getItem(key),
    retain: (uploadId) => memory.setItem(key, uploadId),
    forget: () => memory.removeItem(key),
  }
}

/** An upload that was begun before; null when it is gone. */
async function known(
  { uploads }: Uploading,
  uploadId: string | null,
  signal: AbortSignal | undefined,
): Promise<Uploaded | null> {
  if (!uploadId) return null
  return uploads.get({ uploadId }, signal && { signal }).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  })
}

/** All that says what becomes of the file. */
function metadataOf(file: Blob, options: UploadOptions): Metadata {
  const { repositoryId, packageName, itemId, type, name, folderId, fields } = options
  const filename = file instanceof File ? file.name : undefined
  const given = { packageName, itemId, type, name, folderId, filename, filetype: file.type }
  const texts = Object.entries(given).filter(([, text]) => text)
  return { repositoryId, ...Object.fromEntries(texts), ...(fields && { fields: JSON.stringify(fields) }) }
}

type Metadata = Parameters<Api['uploads']['create']>[0]['metadata'] & Readonly<Record<string, string>>

interface Beginning {
  readonly file: Blob
  readonly metadata: Metadata
  readonly options: UploadOptions
}

/** Begins an upload, again where that may help: one of which nobody got to know is gone after a day. */
async function begin({ uploads }: Uploading, { file, metadata, options }: Beginning): Promise<Uploaded> {
  const { signal } = options
  for (let tries = 1; ; tries++) {
    try {
      return await uploads.create({ length: file.size, metadata }, signal && { signal })
    } catch (error) {
      // One of no bytes is an asset at once: a second would be another.
      if (file.size === 0) throw error
      await pauseAfter(error, tries, options)
    }
  }
}

interface UploadChunk {
  readonly upload: Uploaded
  readonly file: Blob
  readonly options: UploadOptions
}

/** Sends the next piece, again where that may help; then the service is asked first how much it has. */
async function sendPiece({ uploads }: Uploading, { upload, file, options }: UploadChunk): Promise<Uploaded> {
  const { signal, pieceBytes = usualPieceBytes } = options
  let { offset } = upload
  for (let tries = 1; ; tries++) {
    try {
      const input = { uploadId: upload.id, offset, file: file.slice(offset, offset + pieceBytes) }
      const isLast = offset + pieceBytes >= file.size
      const milliseconds = pieceMs(options) * (isLast ? lastPieceFactor : 1)
      return await inTime(milliseconds, signal, (within) => uploads.append(input, { signal: within }))
    } catch (error) {
      await pauseAfter(error, tries, options)
      const now = await uploads.get({ uploadId: upload.id }, signal && { signal }).catch(() => upload)
      if (now.offset > offset || now.itemId) return now
      offset = now.offset
    }
  }
}

function pieceMs({ pieceBytes = usualPieceBytes, pieceTimeoutMs }: UploadOptions): number {
  return pieceTimeoutMs ?? usualPieceMs * Math.ceil(pieceBytes / usualPieceBytes)
}

/** Work that is aborted, as `unavailable`, when it takes too long. */
async function inTime<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const end = () => late.abort(new QuireError('unavailable', 'A piece took too long (pieceTimeoutMs).'))
  const timer = setTimeout(end, milliseconds)
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits before the next try. Errors: the one of this try, when it was the last or the same again cannot help. */
async function pauseAfter(
  error: unknown,
  tries: number,
  { backoffMs = 500, signal }: UploadOptions,
): Promise<void> {
  if (tries === mostTries || !isPassing(error)) throw error
  const wait = backoffMs * 2 ** (tries - 1)
  await untilAborted(new Promise<void>((resolve) => setTimeout(resolve, wait)), signal)
}

/** Whether the same again may work. */
function isPassing(error: unknown): boolean {
  const passing = ['unavailable', 'upload_locked', 'offset_conflict', 'no_room', 'too_many_requests']
  return error instanceof QuireError && passing.includes(error.code)
}
