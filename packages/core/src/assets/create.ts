import type { AssetDraft, Contract, Item, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import type { Asset } from '../items/asset.ts'
import { saveNew } from '../items/create.ts'
import { presentHead } from '../items/show.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { assetTypeFor } from './asset-type.ts'
import { takeFile } from './file-text.ts'

type Input = ParsedOf<Contract['assets']['create']>

/**
 * Creates an asset from a file: version 1, a draft. Without `name` it has the file's.
 * Errors: `not_found` for the repository or package; `invalid`, also for a file that the type does not take; `slug_taken`, `forbidden`.
 */
export async function createAsset(call: Call, { file, ...input }: Input): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const saved = await saveAsset(call, tx, { place, input, asset: await takeFile(tx, file) })
    return presentHead(inside, place.line, saved)
  })
}

/** A new asset to be saved: what is not said is taken from the file. */
export interface NewAsset {
  readonly place: Place
  readonly input: AssetDraft
  readonly asset: Asset
}

/** Saves version 1 of an asset. Errors: `forbidden` without `items.create` and `assets.upload` on its type; as a save. */
export async function saveAsset(
  call: Call,
  tx: Transaction,
  { place, input, asset }: NewAsset,
): Promise<Entity> {
  const inside = within(call, tx)
  const type = await assetTypeFor(inside, { place, name: input.type, asset })
  const target = { repositoryId: place.repository.id, type: type.name }
  requirePermission(call, 'assets.upload', target)
  requirePermission(call, 'items.create', target)
  const name = input.name ?? nameOf(asset)
  return saveNew(call, tx, { place, type, asset, input: { ...input, name } })
}

/** The file's name without its extension, as long as names are. */
function nameOf({ fileName }: Asset): string {
  const base = fileName.replace(/\.[^.]{1,10}$/, '').trim()
  return (base === '' ? fileName : base).slice(0, 200).toWellFormed()
}
