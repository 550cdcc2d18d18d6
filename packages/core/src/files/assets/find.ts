import { QuireError, type PermissionKey } from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { assetIn, type Asset } from '../../content/items/asset.ts'
import type { ItemTarget } from '../../content/items/find.ts'
import { versionNamed } from '../../content/items/versions.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'

/** An asset that the caller may see. */
export interface AssetWithBlob {
  readonly scope: Scope
  readonly head: Entity
  readonly asset: Asset
}

/**
 * The binary of a version of an item, for callers who hold the key. Errors: `not_found`,
 * `forbidden`.
 */
export async function assetOf(
  call: Call,
  { scope, item: head }: ItemTarget,
  { key, version = 'latest' }: { key: PermissionKey; version?: string | undefined },
): Promise<AssetWithBlob> {
  requirePermission(call, key, { repositoryId: head.repositoryId, type: head.type })
  const visible = version === 'latest' ? head : await versionNamed(call, { head, name: version })
  const asset = assetIn(visible.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { scope, head, asset }
}

// Maximum in a job's result; all of them are logged.
const mostFindings = 100

/** The findings of a long job, up to the first hundred. */
export interface Findings {
  add(finding: JsonObject): void
  readonly stored: readonly JsonObject[]
}

/** Creates an empty list of findings. */
export function createFindings(): Findings {
  const stored: JsonObject[] = []
  return {
    stored,
    add(finding) {
      if (stored.length < mostFindings) stored.push(finding)
    },
  }
}
