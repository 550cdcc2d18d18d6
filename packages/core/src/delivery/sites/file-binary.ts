import { QuireError } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { pictureExtension, withExtension, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import type { StoredBlob } from '../../ports/index.ts'
import { deriveRendition, openDerived } from '../../files/renditions/derive.ts'
import { wantedPicture } from '../../files/renditions/picture-request.ts'

/** The bytes of a file that a page shows. */
export interface FileBinary {
  readonly blob: StoredBlob
  readonly mimeType: string
  /** With its dot. */
  readonly extension: string
}

/** A file as it was uploaded, or a rendition of it, kept; null where there is no such rendition, or none can be made. */
export async function fileBinary(
  call: Call,
  found: { scope: Scope; asset: Asset },
  rendition: string,
): Promise<FileBinary | null> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === rendition)
  const wanted = await wantedPicture(call, found, { input: { rendition }, made }).catch(absent)
  if (wanted) {
    const picture = await deriveRendition(call, wanted).catch(absent)
    if (!picture) return null
    // A publication lasts, and what is made of pictures does not: it is stored as a file of its own.
    const blob = await call.environment.blobs.put(await openDerived(call, wanted, { picture }))
    const { format } = wanted.recipe
    return { blob, mimeType: `image/${format}`, extension: `.${pictureExtension(format)}` }
  }
  if (made)
    return { blob: made, mimeType: made.mimeType, extension: extensionOf(withExtension('a', made.extension)) }
  if (rendition !== 'original') return null
  const { mimeType, fileName } = asset
  // A host of static files would run it, as a page of its own (TRUST S10).
  if (/html|xml|svg|script/.test(`${mimeType} ${extensionOf(fileName)}`))
    return { blob: asset, mimeType: 'application/octet-stream', extension: '.bin' }
  return { blob: asset, mimeType, extension: extensionOf(fileName) }
}

/** There is none for whoever asks. */
function absent(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

function extensionOf(fileName: string): string {
  return /\.[a-z0-9]{1,10}$/.exec(fileName.toLowerCase())?.[0] ?? ''
}
