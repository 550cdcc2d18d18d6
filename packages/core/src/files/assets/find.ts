import { QuireError, type PermissionKey } from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { assetIn, type Asset } from '../../content/items/asset.ts'
import { findItem } from '../../content/items/find.ts'
import { versionNamed } from '../../content/items/versions.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'

/** An asset that a caller may see. */
export interface AssetWithBlob {
  readonly scope: Scope
  readonly head: Entity
  readonly asset: Asset
}

/** How an input names an asset. */
interface AssetRef {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly assetId: string
  readonly version?: string | undefined
}

/** The binary of a version of an item, for whoever may read the item and holds the key. Errors: `not_found`, `forbidden`. */
export async function findAsset(call: Call, ref: AssetRef, key: PermissionKey): Promise<AssetWithBlob> {
  const scope = await findScope(call, ref)
  const head = await findItem(call, scope, ref.assetId)
  requirePermission(call, key, { repositoryId: head.repositoryId, type: head.type })
  const { version = 'latest' } = ref
  const visible = version === 'latest' ? head : await versionNamed(call, { head, name: version })
  const asset = assetIn(visible.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { scope, head, asset }
}

// Of a job's result: more of them are in the log.
const mostCached = 100

/** What a long piece of work found, the first hundred. */
export interface Findings {
  add(finding: JsonObject): void
  readonly stored: readonly JsonObject[]
}

/** Nothing was found yet. */
export function createFindings(): Findings {
  const stored: JsonObject[] = []
  return {
    stored,
    add(finding) {
      if (stored.length < mostCached) stored.push(finding)
    },
  }
}
