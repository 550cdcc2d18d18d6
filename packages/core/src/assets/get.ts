import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import type { DerivedPicture } from '../call/shared.ts'
import { withExtension, type Asset, type CustomRendition } from '../items/asset.ts'
import { deriveRendition, deriveAgain } from '../renditions/derive.ts'
import { wantedPicture, type WantedPicture } from '../renditions/wanted.ts'
import { findAsset, type FoundAsset } from './find.ts'
import { fileSource, pictureSource } from './kept-bytes.ts'
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
  return serveAsset(call, found, input)
}

/** What is asked for of a file. */
export type AssetInput = Omit<Input, 'configId' | 'packageName' | 'assetId'>

/** The bytes of an asset that the caller may have. Errors: as `getAsset`. */
export async function serveAsset(call: Call, found: FoundAsset, input: AssetInput): Promise<ServedBytes> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === input.rendition)
  const wanted = await wantedPicture(call, found, { input, made })
  if (wanted) return derived(call, { found, input, wanted, picture: await deriveRendition(call, wanted) })
  const kept = { input, isImmutable: isNumbered(found, input) }
  if (made) {
    const fileName = withExtension(asset.fileName, made.extension)
    return uploaded(call, { ...kept, binary: { ...made, fileName } })
  }
  if (input.rendition === 'original') return uploaded(call, { ...kept, binary: asset })
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
  const isInline = isShown(mimeType) && !isForced(input)
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
  readonly found: FoundAsset
  readonly input: AssetInput
  readonly wanted: WantedPicture
  readonly picture: DerivedPicture
}

function derived(call: Call, { found: { asset }, input, wanted, picture }: Derived): ServedBytes {
  const { format } = wanted.recipe
  const again = () => deriveAgain(call, wanted, picture)
  return new ServedBytes(
    pictureSource(
      call,
      { picture, again },
      {
        mimeType: `image/${format}`,
        fileName: withExtension(asset.fileName, format === 'jpeg' ? 'jpg' : format),
        disposition: isForced(input) ? 'attachment' : 'inline',
        // A preset may change.
        isImmutable: false,
        isNegotiated: input.format === undefined,
      },
    ),
  )
}

/** `download` forces a download whatever it says but no (specification 4.6). */
function isForced({ download }: AssetInput): boolean {
  return download !== undefined && download !== 'false'
}

/** The numbers of a package begin anew when a change is taken out of it, or when another package gets its name: only those of main name one version for ever. */
function isNumbered({ place }: FoundAsset, { version }: AssetInput): boolean {
  return place.package === null && version !== undefined && /^\d+$/.test(version)
}
