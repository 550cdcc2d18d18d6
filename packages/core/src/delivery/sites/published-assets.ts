import type { Call } from '../../engine/call.ts'
import { assetIn } from '../../content/items/asset.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import type { Scope } from '../../engine/scope.ts'
import { fileBinary } from './file-binary.ts'
import { eachFileOnce, type FindFile } from './file-once.ts'
import { assetAddress } from './stored-files.ts'
import type { PublishedFile } from './publication/manifest.ts'

/** The files of items that the pages of a publication show, as they come to be known. */
export interface PublishedAssets {
  /** Where a rendition stands in the publication; null when there is none. */
  readonly file: FindFile
  /** By address. */
  readonly files: ReadonlyMap<string, PublishedFile>
}

/** The files of published items: originals as they are kept, pictures as they are made. */
export function publishedAssets(call: Call, scope: Scope): PublishedAssets {
  const branch = publishedBranch(scope.repository.id)
  const files = new Map<string, PublishedFile>()
  const add: FindFile = async ({ id }, rendition) => {
    const head = await call.store.entities.get(branch, 'item', id)
    const asset = head && assetIn(head.body)
    if (!head || !asset) return null
    const found = await fileBinary(call, { scope: { ...scope, branch }, asset }, rendition)
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
