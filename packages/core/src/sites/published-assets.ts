import type { Call } from '../call/call.ts'
import { assetIn } from '../items/asset.ts'
import { publishedLine } from '../items/published-line.ts'
import type { Place } from '../lines/lines.ts'
import { fileBinary } from './file-binary.ts'
import { eachFileOnce, type FindFile } from './file-once.ts'
import { assetAddress } from './kept-files.ts'
import type { PublishedFile } from './publication/manifest.ts'

/** The files of items that the pages of a publication show, as they come to be known. */
export interface PublishedAssets {
  /** Where a rendition stands in the publication; null when there is none. */
  readonly file: FindFile
  /** By address. */
  readonly files: ReadonlyMap<string, PublishedFile>
}

/** The files of published items: originals as they are kept, pictures as they are made. */
export function publishedAssets(call: Call, place: Place): PublishedAssets {
  const line = publishedLine(place.repository.id)
  const files = new Map<string, PublishedFile>()
  const add: FindFile = async ({ id }, rendition) => {
    const head = await call.store.entities.get(line, 'item', id)
    const asset = head && assetIn(head.body)
    if (!head || !asset) return null
    const found = await fileBinary(call, { place: { ...place, line }, asset }, rendition)
    if (!found) return null
    const { blob, mimeType, extension } = found
    const address = assetAddress(id, rendition, { version: blob.hash.slice(0, 12), extension })
    files.set(address, {
      blob: blob.hash,
      blobSize: blob.size,
      start: 0,
      size: blob.size,
      etag: blob.hash,
      mimeType,
    })
    return address
  }
  return { files, file: eachFileOnce(add) }
}
