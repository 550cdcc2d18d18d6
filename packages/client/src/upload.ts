import type { Api, Item } from '@quire/contract/api'
import type { QuireError } from '@quire/contract/client'
import type { untilAborted } from './until-aborted.ts'
import { uploadKey } from './upload-key.ts'

/** The options of an upload: what the file becomes, and how it is sent. */
export interface UploadOptions {
  /** The repository, by id or name. */
  readonly repositoryId: string
  readonly packageName?: string
  /** The asset that gets the file as a new version. Default: a new asset. */
  readonly itemId?: string
  /** Name of the content type. Default: the only content type that accepts such a file. */
  readonly type?: string
  /** Name of the asset. Default: the file name. */
  readonly name?: string
  readonly folderId?: string
  /** Custom values by field name. */
  readonly fields?: Readonly<Record<string, unknown>>
  /**
   * Called after each piece with the number of bytes that the service has stored, and their total
   * number.
   */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void
  /** Stops the upload. The service keeps what was sent for a day. */
  readonly signal?: AbortSignal
  /**
   * Remembers started uploads, so that an interrupted upload of the same file continues where it
   * stopped, even after a reload. A file is the same if all of these are equal: the options that
   * say what it becomes (`repositoryId`, `packageName`, `itemId`, `type`, `name`, `folderId`,
   * `fields`), the name, media type, size and date of the file, and its first and last 64 KiB
   * (SHA-256). The bytes in between are not read. A Blob has neither name nor date, so do not
   * upload two Blobs of the same size that differ only in the middle. A page that was loaded over
   * plain http cannot compute the hash and remembers nothing.
   *
   * @default undefined // an interrupted upload starts again
   * @example localStorage
   */
  readonly memory?: UploadMemory
  /**
   * Bytes per piece, which is the most that a retry sends again.
   *
   * @default 8_388_608
   */
  readonly pieceBytes?: number
  /**
   * Milliseconds that a piece may take. After that it counts as interrupted, and the upload asks
   * the service how much has arrived. The last piece may take five times as long, because the
   * service creates the asset before it responds.
   *
   * @default 120_000 // for each 8 MiB of `pieceBytes`, or part of it
   */
  readonly pieceTimeoutMs?: number
  /**
   * Milliseconds before a piece, or the start of the upload, is retried; doubled each time. The
   * upload fails after five attempts.
   *
   * @default 500
   */
  readonly backoffMs?: number
}

/** A storage for started uploads: `localStorage`, or three functions of your own. */
export interface UploadMemory {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

type Uploaded = Awaited<ReturnType<Api['uploads']['get']>>

/** The part of an Api that an upload needs, and what it shares with every other call. */
interface Uploading extends Pick<Api, 'uploads' | 'items'>, Shared {}

/**
 * What a client has loaded before. It is given, not imported: a bundler would put it into further
 * files, which every page would load.
 */
interface Shared {
  readonly QuireError: typeof QuireError
  readonly untilAborted: typeof untilAborted
}

const mostTries = 5

const usualPieceBytes = 8 * 1024 * 1024

/**
 * For 8 MiB this is 70 KB/s. At half this value, uploads over slow connections would time out again
 * and again; at twice, a dead connection is noticed later.
 */
const usualPieceMs = 120_000

/**
 * How many times as long the last piece may take. At 1, the piece would time out before an asset
 * that is slow to create is ready.
 */
const lastPieceFactor = 5

/**
 * Uploads a file in pieces, retries each piece if the connection breaks, and returns the item that
 * the file became. `file` is a `File` of a browser, or the result of `openAsBlob` of node:fs.
 * Errors: QuireError of the service; the signal's reason when aborted.
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
  const branch = packageName === undefined ? {} : { packageName }
  const call = { configId: repositoryId, ...branch, id: upload.itemId }
  // Without `select` the item is complete.
  const item = (await api.items.get(call, signal && { signal })) as Item
  // Not earlier: if the call above fails and the file is uploaded again, the result is this item
  // and not a second one.
  remembered.forget()
  return item
}

/** The entry of one upload in the memory. */
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

/** An upload that was started before; null if it no longer exists. */
async function known(
  { uploads, QuireError }: Uploading,
  uploadId: string | null,
  signal: AbortSignal | undefined,
): Promise<Uploaded | null> {
  if (!uploadId) return null
  return uploads.get({ uploadId }, signal && { signal }).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  })
}

/** The metadata of the upload, which says what the file becomes. */
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

/**
 * Starts an upload, and retries if that may help. If the response was lost, the unknown upload
 * expires after a day.
 */
async function begin(api: Uploading, { file, metadata, options }: Beginning): Promise<Uploaded> {
  const { signal } = options
  for (let tries = 1; ; tries++) {
    try {
      return await api.uploads.create({ length: file.size, metadata }, signal && { signal })
    } catch (error) {
      // An empty file becomes an asset at once, so a retry could create a second asset.
      if (file.size === 0) throw error
      await pauseAfter(api, { error, tries }, options)
    }
  }
}

interface UploadChunk {
  readonly upload: Uploaded
  readonly file: Blob
  readonly options: UploadOptions
}

/** Sends the next piece, and retries if that may help, after asking the service how much it has. */
async function sendPiece(api: Uploading, { upload, file, options }: UploadChunk): Promise<Uploaded> {
  const { uploads } = api
  const { signal, pieceBytes = usualPieceBytes } = options
  let { offset } = upload
  for (let tries = 1; ; tries++) {
    try {
      const input = { uploadId: upload.id, offset, file: file.slice(offset, offset + pieceBytes) }
      const isLast = offset + pieceBytes >= file.size
      const milliseconds = pieceMs(options) * (isLast ? lastPieceFactor : 1)
      const late = () => new api.QuireError('unavailable', 'A piece took too long (pieceTimeoutMs).')
      return await inTime({ milliseconds, signal, late }, (within) =>
        uploads.append(input, { signal: within }),
      )
    } catch (error) {
      await pauseAfter(api, { error, tries }, options)
      const now = await uploads.get({ uploadId: upload.id }, signal && { signal }).catch(() => upload)
      if (now.offset > offset || now.itemId) return now
      offset = now.offset
    }
  }
}

function pieceMs({ pieceBytes = usualPieceBytes, pieceTimeoutMs }: UploadOptions): number {
  return pieceTimeoutMs ?? usualPieceMs * Math.ceil(pieceBytes / usualPieceBytes)
}

interface Deadline {
  readonly milliseconds: number
  readonly signal: AbortSignal | undefined
  /** The error for work that took too long. */
  readonly late: () => Error
}

/** Runs work, and aborts it if it takes too long. */
async function inTime<T>(
  { milliseconds, signal, late }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(late()), milliseconds)
  try {
    return await work(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits before the next attempt. Errors: the given error, if this was the last attempt or a retry
 * cannot help.
 */
async function pauseAfter(
  shared: Shared,
  { error, tries }: { readonly error: unknown; readonly tries: number },
  { backoffMs = 500, signal }: UploadOptions,
): Promise<void> {
  if (tries === mostTries || !(error instanceof shared.QuireError && isPassing(error))) throw error
  const wait = backoffMs * 2 ** (tries - 1)
  await shared.untilAborted(new Promise<void>((resolve) => setTimeout(resolve, wait)), signal)
}

/** Whether a retry may succeed. */
function isPassing({ code }: QuireError): boolean {
  return ['unavailable', 'upload_locked', 'offset_conflict', 'no_room', 'too_many_requests'].includes(code)
}
