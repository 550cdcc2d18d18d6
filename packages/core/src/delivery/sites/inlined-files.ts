import { wholeBlob } from '../../files/assets/stored-bytes.ts'
import { base64Of } from '../../engine/digest.ts'
import type { Call } from '../../engine/call.ts'
import { assetIn, isPicture } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { fileBinary } from './file-binary.ts'
import { eachFileOnce, type FindFile } from './file-once.ts'

/** Bytes of a picture that is put into a page: larger ones are left out, since a page holds each of them as text. */
const mostInlined = 512 * 1024

/** The pictures of items as `data:` addresses: what shows a page may load nothing. Originals are shown by a smaller picture. */
export function inlinedFiles(call: Call, scope: Scope): FindFile {
  return eachFileOnce(async ({ id }, rendition) => {
    const head = await call.store.entities.get(scope.branch, 'item', id)
    const asset = head && assetIn(head.body)
    if (!asset || !isPicture(asset)) return null
    const name = rendition === 'original' ? 'large' : rendition
    const found = await fileBinary(call, { scope, asset }, name)
    if (!found || found.blob.size > mostInlined) return null
    return `data:${found.mimeType};base64,${base64Of(await wholeBlob(call, found.blob))}`
  })
}
