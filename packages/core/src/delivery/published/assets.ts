import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { AssetWithBlob } from '../../files/assets/find.ts'
import { requiredMatch, serveAsset, type AssetInput } from '../../files/assets/get.ts'
import { invalid } from '../../engine/check-input.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { assetIn } from '../../content/items/asset.ts'
import type { Entity } from '../../ports/index.ts'
import { findPublished, findPublishedBySlug } from './items.ts'
import { publishedScope, type PublishedScope } from './scope.ts'
import { requirePublishedVersion } from './view.ts'

type Published = Contract['published']

/** The bytes of a published asset or of a rendition of it. Errors: `unauthorized`, `not_found`, and as `assets.get`. */
export async function getPublishedAsset(
  call: Call,
  { configId, assetId, ...input }: ParsedOf<Published['asset']>,
): Promise<OutputOf<Published['asset']>> {
  const at = await publishedScope(call, configId)
  return serve(at, await findPublished(at, assetId), input)
}

/** The same by the slug of its item. */
export async function getPublishedAssetBySlug(
  call: Call,
  { configId, slug, ...input }: ParsedOf<Published['assetBySlug']>,
): Promise<OutputOf<Published['assetBySlug']>> {
  const at = await publishedScope(call, configId)
  return serve(at, await findPublishedBySlug(at, slug), input)
}

async function serve(at: PublishedScope, head: Entity, input: AssetInput): Promise<ServedBytes> {
  requirePublishedVersion(input.version, head)
  if (at.call.identity.kind === 'anonymous') requirePreset(input)
  const found = assetOf(at, head)
  const key = input.rendition === 'original' ? 'assets.download' : 'assets.read'
  requirePermission(at.call, key, { repositoryId: head.repositoryId, type: head.type })
  return openTo(
    at,
    requiredMatch(at.call, await serveAsset(at.call, found, { ...input, version: undefined })),
  )
}

/** Everybody may ask for what there are few of: each picture made to measure is kept. Errors: `invalid` naming the member. */
function requirePreset(input: AssetInput): void {
  const measured = (['width', 'height', 'fit', 'quality'] as const).filter(
    (name) => input[name] !== undefined,
  )
  if (measured.length === 0) return
  throw invalid(
    measured.map((path) => ({ path, message: 'needs a token: without one there are the presets' })),
  )
}

/** The file of a published item. Errors: `not_found` when it has none. */
export function assetOf({ scope }: PublishedScope, head: Entity): AssetWithBlob {
  const asset = assetIn(head.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { scope, head, asset }
}

/** Bytes that everybody may have say so, where nobody in particular asked. */
export function openTo({ call }: PublishedScope, bytes: ServedBytes): ServedBytes {
  const isPublic = call.identity.kind === 'anonymous'
  return isPublic ? new ServedBytes({ ...bytes.source, isPublic, isImmutable: false }) : bytes
}
