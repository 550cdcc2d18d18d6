import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { requireMatch, type Call } from '../../engine/call.ts'
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
import { wantedPicture, type PictureRequest } from '../renditions/picture-request.ts'
import { findAsset, type AssetWithBlob } from './find.ts'
import { fileSource } from './stored-bytes.ts'
import { isVisible, servedType } from './file-types.ts'

type Get = Contract['assets']['get']
type Input = ParsedOf<Get>

/**
 * The bytes of an asset, of a hand-made rendition, or of one that is derived (specification 4.6).
 * Errors: `not_found`, also where no picture can be made of the file; `forbidden`; `invalid` for a size past the repository's limits;
 * `precondition_failed` when If-Match names other bytes; `unavailable` while too many are being made.
 */
export async function getAsset(call: Call, input: Input): Promise<OutputOf<Get>> {
  const found = await findAsset(
    call,
    input,
    input.rendition === 'original' ? 'assets.download' : 'assets.read',
  )
  return requiredMatch(call, await serveAsset(call, found, input))
}

/** Errors: `precondition_failed` when If-Match names other bytes (RFC 9110 §13.1.1). */
export function requiredMatch(call: Call, served: ServedBytes): ServedBytes {
  if (served.etag !== null) requireMatch(call, served.etag)
  return served
}

/** What is asked for of a file. */
export type AssetInput = Omit<Input, 'configId' | 'packageName' | 'assetId'>

/** The bytes of an asset that the caller may have. Errors: as `getAsset`. */
export async function serveAsset(call: Call, found: AssetWithBlob, input: AssetInput): Promise<ServedBytes> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === input.rendition)
  const wanted = await wantedPicture(call, found, { input, made })
  if (wanted) {
    const picture = await deriveRendition(call, wanted)
    const { format } = wanted.recipe
    if (isWholePreset(input)) notePreset(call, asset, { name: input.rendition, format, size: picture.size })
    return derived(call, { found, input, wanted, picture })
  }
  const stored = { input, isImmutable: isNumbered(found, input) }
  if (made) {
    const fileName = withExtension(asset.fileName, made.extension)
    return uploaded(call, { ...stored, binary: { ...made, fileName } })
  }
  if (input.rendition === 'original') return uploaded(call, { ...stored, binary: asset })
  throw new QuireError('not_found', `There is no rendition "${input.rendition}" of this asset.`)
}

interface Uploaded {
  readonly input: AssetInput
  readonly binary: (Asset | CustomRendition) & { readonly fileName: string }
  readonly isImmutable: boolean
}

/** A binary as somebody uploaded it. */
function uploaded(call: Call, { input, binary, isImmutable }: Uploaded): ServedBytes {
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

interface Derived {
  readonly found: AssetWithBlob
  readonly input: AssetInput
  readonly wanted: PictureRequest
  readonly picture: DerivedPicture
}

function derived(call: Call, { found: { asset }, input, wanted, picture }: Derived): ServedBytes {
  const { format } = wanted.recipe
  return new ServedBytes({
    mimeType: `image/${format}`,
    fileName: withExtension(asset.fileName, pictureExtension(format)),
    disposition: isForced(input) ? 'attachment' : 'inline',
    // A preset may change.
    isImmutable: false,
    isNegotiated: input.format === undefined,
    size: picture.size,
    etag: picture.hash,
    open: (range) => openDerived(call, wanted, { picture, range }),
  })
}

/** A preset as it is, and not made to measure. */
function isWholePreset({ width, height, fit, quality }: AssetInput): boolean {
  return [width, height, fit, quality].every((asked) => asked === undefined)
}

/** `download` is a text that forces a download when it is set, whatever it says (specification 4.6). */
function isForced({ download }: AssetInput): boolean {
  return download !== undefined
}

/** The numbers of a package begin anew when a change is taken out of it, or when another package gets its name: only those of main name one version for ever. */
function isNumbered({ scope }: AssetWithBlob, { version }: AssetInput): boolean {
  return scope.package === null && version !== undefined && /^\d+$/.test(version)
}
