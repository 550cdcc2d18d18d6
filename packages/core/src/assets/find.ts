import { QuireError, type PermissionKey } from '@quire/contract'
import { requirePermission, type Call } from '../call/call.ts'
import { assetIn, type Asset } from '../items/asset.ts'
import { findItem } from '../items/find.ts'
import { versionNamed } from '../items/shown-version.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity } from '../ports/index.ts'

/** An asset that a caller may see. */
export interface FoundAsset {
  readonly place: Place
  readonly head: Entity
  readonly asset: Asset
}

/** How an input names an asset. */
export interface AssetRef {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly assetId: string
  readonly version?: string | undefined
}

/** The binary of a version of an item, for who may read the item and holds the key. Errors: `not_found`, `forbidden`. */
export async function findAsset(call: Call, ref: AssetRef, key: PermissionKey): Promise<FoundAsset> {
  const place = await findPlace(call, ref)
  const head = await findItem(call, place, ref.assetId)
  requirePermission(call, key, { repositoryId: head.repositoryId, type: head.type })
  const { version = 'latest' } = ref
  const shown = version === 'latest' ? head : await versionNamed(call, { place, head, name: version })
  const asset = assetIn(shown.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { place, head, asset }
}
