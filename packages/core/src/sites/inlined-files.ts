import type { Item } from '@quire/contract'
import { wholeBlob } from '../assets/kept-bytes.ts'
import type { Call } from '../call/call.ts'
import { assetIn, isPicture } from '../items/asset.ts'
import type { Place } from '../lines/lines.ts'
import { fileBinary } from './file-binary.ts'

/** Bytes of a picture that is put into a page: larger ones are left out, since a page holds each of them as text. */
const mostInlined = 512 * 1024

/** The pictures of items as `data:` addresses: what shows a page may load nothing. Originals are shown by a smaller picture. */
export function inlinedFiles(
  call: Call,
  place: Place,
): (item: Item, rendition: string) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>()
  const inline = async ({ id }: Item, rendition: string) => {
    const head = await call.store.entities.get(place.line, 'item', id)
    const asset = head && assetIn(head.body)
    if (!asset || !isPicture(asset)) return null
    const name = rendition === 'original' ? 'large' : rendition
    const found = await fileBinary(call, { place, asset }, name)
    if (!found || found.blob.size > mostInlined) return null
    return dataAddress(found.mimeType, await wholeBlob(call, found.blob))
  }
  return (item, rendition) => {
    const key = `${item.id}/${rendition}`
    const inlining = known.get(key) ?? inline(item, rendition)
    known.set(key, inlining)
    return inlining
  }
}

// As many arguments as a call takes everywhere.
const atOnce = 8192

function dataAddress(mimeType: string, bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += atOnce)
    binary += String.fromCharCode(...bytes.subarray(start, start + atOnce))
  return `data:${mimeType};base64,${btoa(binary)}`
}
