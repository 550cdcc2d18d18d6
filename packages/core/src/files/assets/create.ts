import type { AssetDraft, Contract, Item, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import type { Asset } from '../../content/items/asset.ts'
import { saveNew } from '../../content/items/create.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { assetTypeFor } from './asset-type.ts'
import { takeFile } from './file-text.ts'

type Input = ParsedOf<Contract['assets']['create']>

/**
 * Creates an asset from a file: version 1, a draft. Without `name` it has the file's.
 * Errors: `not_found` for the repository or package; `invalid`, also for a file that the type does not take; `slug_taken`, `forbidden`.
 */
export async function createAsset(call: Call, { file, ...input }: Input): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const saved = await saveAsset(call, { scope, input, asset: await takeFile(call.store, file) })
    return serializeHead(call, scope.branch, saved)
  })
}

/** A new asset to be saved: what is not said is taken from the file. */
export interface NewAsset {
  readonly scope: Scope
  readonly input: AssetDraft
  readonly asset: Asset
}

/** Saves version 1 of an asset. Errors: `forbidden` without `items.create` and `assets.upload` on its type; as a save. */
export async function saveAsset(call: WriteCall, { scope, input, asset }: NewAsset): Promise<Entity> {
  const type = await assetTypeFor(call, { scope, name: input.type, asset })
  const target = { ...scope.branch, type: type.name }
  requirePermission(call, 'assets.upload', target)
  requirePermission(call, 'items.create', target)
  const name = input.name ?? nameOf(asset)
  return saveNew(call, { scope, type, asset, input: { ...input, name } })
}

/** The file's name without its extension, as long as names are. */
function nameOf({ fileName }: Asset): string {
  const base = fileName.replace(/\.[^.]{1,10}$/, '').trim()
  return (base === '' ? fileName : base).slice(0, 200).toWellFormed()
}
