import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { type Call } from '../../engine/call.ts'
import { requireMatch } from '../../engine/if-match.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import type { DerivedPicture } from '../../engine/shared.ts'
import { notePreset } from '../../content/items/serialize.ts'
import {
  pictureExtension,
  withExtension,
  type Asset,
  type CustomRendition,
} from '../../content/items/asset.ts'
import { deriveRendition, openDerived } from '../renditions/derive.ts'
import { findPictureRequest, type PictureRequest } from '../renditions/picture-request.ts'
import { assetOf, type AssetWithBlob } from './find.ts'
import type { ItemTarget } from '../../content/items/find.ts'
import { fileSource } from './stored-bytes.ts'
import { isVisible, servedType } from './file-types.ts'

type Get = Contract['assets']['get']
type Input = ParsedOf<Get>

/**
 * The bytes of an asset, a custom rendition or a derived rendition (specification 4.6). Errors:
 * `not_found`, also when no image can be made from the file; `forbidden`; `invalid` for a size
 * beyond the repository's limits; `precondition_failed` when If-Match names other bytes;
 * `unavailable` while too many renditions are being made.
 */
export async function getAsset(call: Call, input: Input, target: ItemTarget): Promise<OutputOf<Get>> {
  const key = input.rendition === 'original' ? 'assets.download' : 'assets.read'
  const found = await assetOf(call, target, { key, version: input.version })
  return requiredMatch(call, await serveAsset(call, found, input))
}

/** Errors: `precondition_failed` when If-Match names other bytes (RFC 9110 §13.1.1). */
export function requiredMatch(call: Call, served: ServedBytes): ServedBytes {
  if (served.etag !== null) requireMatch(call, served.etag)
  return served
}

/** Which bytes of an asset are requested. */
export type AssetInput = Omit<Input, 'configId' | 'packageName' | 'assetId'>

/** The bytes of an asset that the caller may read. Errors: those of `getAsset`. */
export async function serveAsset(call: Call, found: AssetWithBlob, input: AssetInput): Promise<ServedBytes> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === input.rendition)
  const request = await findPictureRequest(call, found, { input, made })
  if (request) {
    const picture = await deriveRendition(call, request)
    const { format } = request.recipe
    if (isWholePreset(input)) notePreset(call, asset, { name: input.rendition, format, size: picture.size })
    return serveDerived(call, { found, input, request, picture })
  }
  const stored = { input, isImmutable: isNumbered(found, input) }
  if (made) {
    const fileName = withExtension(asset.fileName, made.extension)
    return serveUploaded(call, { ...stored, binary: { ...made, fileName } })
  }
  if (input.rendition === 'original') return serveUploaded(call, { ...stored, binary: asset })
  throw new QuireError('not_found', `There is no rendition "${input.rendition}" of this asset.`)
}

interface UploadedFile {
  readonly input: AssetInput
  readonly binary: (Asset | CustomRendition) & { readonly fileName: string }
  readonly isImmutable: boolean
}

/** A binary as it was uploaded. */
function serveUploaded(call: Call, { input, binary, isImmutable }: UploadedFile): ServedBytes {
  const { mimeType, fileName } = binary
  const isInline = isVisible(mimeType) && !isForced(input)
  return new ServedBytes(
    fileSource(call, binary, {
      mimeType: servedType(mimeType),
      fileName,
      disposition: isInline ? 'inline' : 'attachment',
      isImmutable,
      isNegotiated: false,
    }),
  )
}

interface DerivedFile {
  readonly found: AssetWithBlob
  readonly input: AssetInput
  readonly request: PictureRequest
  readonly picture: DerivedPicture
}

function serveDerived(call: Call, { found: { asset }, input, request, picture }: DerivedFile): ServedBytes {
  const { format } = request.recipe
  return new ServedBytes({
    mimeType: `image/${format}`,
    fileName: withExtension(asset.fileName, pictureExtension(format)),
    disposition: isForced(input) ? 'attachment' : 'inline',
    // A preset may change.
    isImmutable: false,
    isNegotiated: input.format === undefined,
    size: picture.size,
    etag: picture.hash,
    open: (range) => openDerived(call, request, { picture, range }),
  })
}

/** Whether a preset is requested without changes. */
function isWholePreset({ width, height, fit, quality }: AssetInput): boolean {
  return [width, height, fit, quality].every((asked) => asked === undefined)
}

/** `download` forces a download whenever it is present, whatever its value (specification 4.6). */
function isForced({ download }: AssetInput): boolean {
  return download !== undefined
}

/**
 * Whether a version number names the same version forever. In a package, numbers start again when a
 * change is removed from it, or when another package gets its name, so only those of main do.
 */
function isNumbered({ scope }: AssetWithBlob, { version }: AssetInput): boolean {
  return scope.package === null && version !== undefined && /^\d+$/.test(version)
}
