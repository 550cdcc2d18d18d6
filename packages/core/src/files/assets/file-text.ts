import type { BytesIn } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import type { Asset } from '../../content/items/asset.ts'
import { ExtractionRefused, isExtracted, type Transaction } from '../../ports/index.ts'
import { openBlob } from './stored-bytes.ts'
import { receivedOf, type ReceivedFile } from './received-file.ts'

/**
 * The same file with its text, where it has one: before the transaction, in which nothing may be waited for. One that is known comes along, too:
 * until the file is saved, nobody may need it, and it may be swept. A file without text is a file all the same: what went wrong is told in the
 * log and fails no upload.
 */
export async function withText(call: Call, file: ReceivedFile): Promise<ReceivedFile> {
  const { hash, size, mimeType } = file.asset
  if (size === 0 || !isExtracted(mimeType)) return file
  const known = await call.store.texts.get(hash)
  if (known !== null) return file.withComment(known)
  try {
    const { extraction } = call.environment
    const text = await extraction.extract(() => openBlob(call, hash), { mimeType, size })
    return file.withComment(text)
  } catch (error) {
    notify(call, file.asset, error)
    return file
  }
}

/** The file that an operation was sent, with its text kept: to be called before what has the file is put. */
export async function takeFile(store: Transaction, file: BytesIn): Promise<Asset> {
  const { asset, text } = receivedOf(file)
  if (text !== null) await store.texts.put(asset.hash, text)
  return asset
}

function notify({ environment, requestId }: Call, { hash, mimeType, size }: Asset, error: unknown): void {
  environment.log.write('warn', 'extraction.refused', { hash, mimeType, size, ...whyOf(error), requestId })
}

/** Why no text was read: of our own refusals the words, of all other errors the kind alone, since what a library says may quote the file. */
export function whyOf(error: unknown): { readonly kind: string; readonly reason: string } {
  if (error instanceof ExtractionRefused) return { kind: error.kind, reason: error.message }
  return { kind: 'failed', reason: nameOf(error) }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
