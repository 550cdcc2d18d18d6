import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import type { DerivedPicture } from '../call/shared.ts'
import { withExtension, type Asset, type CustomRendition } from '../items/asset.ts'
import { deriveRendition } from '../renditions/derive.ts'
import { wantedPicture } from '../renditions/wanted.ts'
import { findAsset, type FoundAsset } from './find.ts'
import { blobSource, pictureSource } from './kept-bytes.ts'
import { isShown, servedType } from './sniff.ts'

type Get = Contract['assets']['get']
type Input = ParsedOf<Get>

/**
 * The bytes of an asset, of a hand-made rendition, or of one that is derived (specification 4.6).
 * Errors: `not_found`, also where no picture can be made of the file; `forbidden`; `invalid` for a size past the repository's limits;
 * `unavailable` while too many are being made.
 */
export async function getAsset(call: Call, input: Input): Promise<OutputOf<Get>> {
  const found = await findAsset(
    call,
    input,
    input.rendition === 'original' ? 'assets.download' : 'assets.read',
  )
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === input.rendition)
  const wanted = await wantedPicture(call, found, { input, made })
  if (wanted)
    return derived(call, {
      found,
      input,
      picture: await deriveRendition(call, wanted),
      format: wanted.recipe.format,
    })
  if (made) return kept(call, input, { ...made, fileName: withExtension(asset.fileName, made.extension) })
  if (input.rendition === 'original') return kept(call, input, asset)
  throw new QuireError('not_found', `There is no rendition "${input.rendition}" of this asset.`)
}

/** A binary as somebody uploaded it. */
function kept(
  call: Call,
  input: Input,
  binary: (Asset | CustomRendition) & { readonly fileName: string },
): ServedBytes {
  const { mimeType, fileName } = binary
  const isInline = isShown(mimeType) && !isForced(input)
  return new ServedBytes(
    blobSource(call, binary, {
      mimeType: servedType(mimeType),
      fileName,
      disposition: isInline ? 'inline' : 'attachment',
      isImmutable: isNumbered(input),
      isNegotiated: false,
    }),
  )
}

interface Derived {
  readonly found: FoundAsset
  readonly input: Input
  readonly picture: DerivedPicture
  readonly format: string
}

function derived(call: Call, { found: { asset }, input, picture, format }: Derived): ServedBytes {
  return new ServedBytes(
    pictureSource(call, picture, {
      mimeType: `image/${format}`,
      fileName: withExtension(asset.fileName, format === 'jpeg' ? 'jpg' : format),
      disposition: isForced(input) ? 'attachment' : 'inline',
      // A preset may change.
      isImmutable: false,
      isNegotiated: input.format === undefined,
    }),
  )
}

/** `download` forces a download whatever it says but no (specification 4.6). */
function isForced({ download }: Input): boolean {
  return download !== undefined && download !== false && download !== 'false'
}

function isNumbered({ version }: Input): boolean {
  return version !== undefined && /^\d+$/.test(version)
}
