import { QuireError, type Contract, type Item, type ParsedOf } from '@quire/contract'
import { assetOfFile } from '../assets/received-file.ts'
import { saveFile } from '../assets/replace.ts'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import type { Asset, CustomRendition } from '../items/asset.ts'
import { presentHead } from '../items/show.ts'
import { findPlace } from '../lines/lines.ts'

type Group = Contract['renditions']

// More than this belongs into items of their own; each is a part of every version of the asset.
const mostCustom = 50

/** Gives an asset a rendition made by hand, in place of another of that name. Errors: `not_found`, `forbidden`, `invalid`, `precondition_failed`. */
export async function uploadRendition(
  call: Call,
  input: ParsedOf<Group['upload']>,
): Promise<Presented<Item>> {
  const { hash, size, mimeType, extension, width, height } = assetOfFile(input.file)
  const made: CustomRendition = { name: named(input), hash, size, mimeType, extension, width, height }
  return changeRenditions(call, input, (others) => [...others, made])
}

/** Removes a hand-made rendition. Errors: `not_found`, also when there is none of that name; `forbidden`, `precondition_failed`. */
export async function removeRendition(
  call: Call,
  input: ParsedOf<Group['remove']>,
): Promise<Presented<Item>> {
  return changeRenditions(call, input, (others, asset) => {
    if (others.length < asset.renditions.length) return others
    throw new QuireError('not_found', `There is no hand-made rendition "${input.rendition}" of this asset.`)
  })
}

function named({ rendition }: { rendition: string }): string {
  if (rendition !== 'original') return rendition
  throw invalid([{ path: 'rendition', message: 'is the file itself: PUT …/content replaces it' }])
}

interface RenditionRef {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly assetId: string
  readonly rendition: string
}

/** Saves an asset with other hand-made renditions: `change` is given those of other names. */
async function changeRenditions(
  call: Call,
  ref: RenditionRef,
  change: (others: readonly CustomRendition[], asset: Asset) => readonly CustomRendition[],
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, ref)
    const saved = await saveFile(call, tx, {
      place,
      id: ref.assetId,
      change(asset) {
        if (!asset) throw new QuireError('not_found', 'This item has no file.')
        const others = asset.renditions.filter(({ name }) => name !== ref.rendition)
        const renditions = change(others, asset)
        if (renditions.length > mostCustom)
          throw invalid([
            { path: 'rendition', message: `an asset has at most ${mostCustom} renditions made by hand` },
          ])
        return { ...asset, renditions }
      },
    })
    return presentHead(inside, place.line, saved)
  })
}
