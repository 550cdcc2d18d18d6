import type { Api, Item } from '@quire/contract'
import { QuireError } from '@quire/contract/codec'
import { untilAborted } from './until-aborted.ts'

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
   * Remembers uploads that were begun, so that the same file goes on where it was cut, after a reload as well.
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
   * Milliseconds before a piece is tried again, doubled each time; five times in vain end it.
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

/**
 * Uploads a file in pieces, each tried again where the line breaks, and answers the item that it became. A `File` of a browser, or
 * what `openAsBlob` of node:fs gives. Errors: QuireError of the service; the signal's reason when aborted.
 */
export async function uploadFile(api: Uploading, file: Blob, options: UploadOptions): Promise<Item> {
  const { memory, signal, repositoryId, packageName } = options
  const key = keyOf(file, options)
  let upload = (await known(api, memory?.getItem(key))) ?? (await begin(api, file, options))
  memory?.setItem(key, upload.id)
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
  memory?.removeItem(key)
  return item
}

function nameOf(file: Blob): string | undefined {
  return file instanceof File ? file.name : undefined
}

function keyOf(file: Blob, { repositoryId, packageName, itemId }: UploadOptions): string {
  const date = file instanceof File ? file.lastModified : ''
  return ['quire-upload', repositoryId, packageName, itemId, nameOf(file), file.size, date].join(':')
}

/** An upload that was begun before; null when it is gone. */
async function known({ uploads }: Uploading, uploadId: string | null | undefined): Promise<Uploaded | null> {
  if (!uploadId) return null
  return uploads.get({ uploadId }).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  })
}

function begin({ uploads }: Uploading, file: Blob, options: UploadOptions): Promise<Uploaded> {
  const { repositoryId, packageName, itemId, type, name, folderId, fields, signal } = options
  const said = { packageName, itemId, type, name, folderId, filename: nameOf(file), filetype: file.type }
  const texts = Object.entries(said).filter(([, text]) => text)
  const metadata = {
    repositoryId,
    ...Object.fromEntries(texts),
    ...(fields && { fields: JSON.stringify(fields) }),
  }
  return uploads.create({ length: file.size, metadata }, signal && { signal })
}

interface Piece {
  readonly upload: Uploaded
  readonly file: Blob
  readonly options: UploadOptions
}

/** Sends the next piece, again where that may help; then the service is asked first how much it has. */
async function sendPiece({ uploads }: Uploading, { upload, file, options }: Piece): Promise<Uploaded> {
  const { signal, pieceBytes = 8 * 1024 * 1024, backoffMs = 500 } = options
  const call = signal && { signal }
  let { offset } = upload
  for (let tries = 1; ; tries++) {
    try {
      const piece = file.slice(offset, offset + pieceBytes)
      return await uploads.append({ uploadId: upload.id, offset, file: piece }, call)
    } catch (error) {
      if (tries === mostTries || !isPassing(error)) throw error
      await pause(backoffMs * 2 ** (tries - 1), signal)
      const now = await uploads.get({ uploadId: upload.id }, call).catch(() => upload)
      if (now.offset > offset || now.itemId) return now
      offset = now.offset
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return untilAborted(new Promise<void>((resolve) => setTimeout(resolve, milliseconds)), signal)
}

/** Whether the same again may work. */
function isPassing(error: unknown): boolean {
  const passing = ['unavailable', 'upload_locked', 'offset_conflict', 'no_room', 'too_many_requests']
  return error instanceof QuireError && passing.includes(error.code)
}
