import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { type Call, requirePermission } from '../../engine/call.ts'
import { escaped } from '../../engine/html.ts'
import { builtInSides, isPicture, type Asset, assetIn } from '../../content/items/asset.ts'
import { storedItem } from '../../content/items/item-json.ts'
import { findPublished, findPublishedBySlug } from './items.ts'
import { publishedScope, type PublishedScope, requirePublishedVersion } from './scope.ts'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import type { AssetWithBlob } from '../../files/assets/find.ts'
import { requiredMatch, serveAsset, type AssetInput } from '../../files/assets/get.ts'
import { invalid } from '../../engine/check-input.ts'
import type { Entity } from '../../ports/index.ts'

export { getPublishedAsset as asset, getPublishedAssetBySlug as assetBySlug }
export { embed }
export { getPublished as item, getPublishedBySlug as itemBySlug, listPublished as items } from './items.ts'

type OEmbed = Contract['published']['oembed']
type Input = ParsedOf<OEmbed>

const cacheSeconds = 300
/** Size in pixels of an asset that has none. */
const defaultSize = { width: 640, height: 360 }

/**
 * Describes how to embed a published asset, given its URL (oEmbed 1.0). Errors: `not_found` for any
 * other URL; `unauthorized`.
 */
export async function oembed(call: Call, input: Input): Promise<OutputOf<OEmbed>> {
  const { baseUrl } = call.environment
  const ref = assetRefOf(baseUrl, input.url)
  const at = await publishedScope(call, ref.configId)
  const head = await ('slug' in ref ? findPublishedBySlug(at, ref.slug) : findPublished(at, ref.assetId))
  const { asset } = assetOf(at, head)
  const { name } = storedItem(head)
  const size = fitSize(asset, input)
  const common = {
    version: '1.0' as const,
    title: name,
    provider_name: 'Quire',
    provider_url: baseUrl,
    cache_age: cacheSeconds,
    ...size,
  }
  const url = publishedUrl(baseUrl, head)
  if (isPicture(asset)) {
    return { ...common, type: 'photo', url: `${url}/${renditionFor(asset, size)}` }
  }
  const src = `${baseUrl}/api/embed/${head.repositoryId}/${head.id}`
  const html = `<iframe src="${src}" width="${size.width}" height="${size.height}" title="${escaped(name)}" sandbox="allow-popups allow-downloads" loading="lazy" style="border:0"></iframe>`
  return { ...common, type: asset.mimeType.startsWith('video/') ? 'video' : 'rich', html }
}

type AssetRef =
  | { readonly configId: string; readonly assetId: string }
  | { readonly configId: string; readonly slug: string }

/** The asset that a URL of this service names. Errors: `not_found`. */
function assetRefOf(baseUrl: string, url: string): AssetRef {
  const base = `${baseUrl}/api/`
  const [path = ''] = url.startsWith(base) ? url.slice(base.length).split(/[?#]/) : []
  for (const { pattern, refOf } of assetPaths) {
    const parts = pattern.exec(path)?.slice(1).map(decode)
    if (parts) return refOf(parts)
  }
  throw new QuireError('not_found', 'This is not the URL of a published asset of this service.')
}

/** The paths below `/api/` that can be embedded, and the assets that their parts name. */
const assetPaths: readonly { pattern: RegExp; refOf: (parts: readonly string[]) => AssetRef }[] = [
  { pattern: /^embed\/([^/]+)\/([^/]+)$/, refOf: byId },
  { pattern: /^published\/assets\/([^/]+)\/([^/]+)\/[^/]+$/, refOf: byId },
  {
    pattern: /^published\/assets\/([^/]+)\/slug\/([^/]+)\/[^/]+$/,
    refOf: ([configId = '', slug = '']) => ({ configId, slug }),
  },
]

function byId([configId = '', assetId = '']: readonly string[]): AssetRef {
  return { configId, assetId }
}

/** A part with a broken percent-encoding stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * The smallest preset with enough pixels; the original when none has enough or the original is not
 * larger.
 */
function renditionFor({ width, height }: Asset, size: { width: number; height: number }): string {
  const needed = Math.max(size.width, size.height)
  const whole = Math.max(width ?? 0, height ?? 0)
  const preset = Object.entries(builtInSides).find(([, side]) => side >= needed)
  return preset && preset[1] < whole ? preset[0] : 'original'
}

/** Scales a picture down to the bounds and keeps its proportions. */
function fitSize(
  { width, height }: Asset,
  { maxwidth = Number.POSITIVE_INFINITY, maxheight = Number.POSITIVE_INFINITY }: Input,
): { width: number; height: number } {
  const own = width === null || height === null ? defaultSize : { width, height }
  const scale = Math.min(1, maxwidth / own.width, maxheight / own.height)
  return {
    width: Math.max(1, Math.floor(own.width * scale)),
    height: Math.max(1, Math.floor(own.height * scale)),
  }
}

type Embed = Contract['published']['embed']

/**
 * Returns a page that shows a published asset. It runs no scripts and loads only from this service.
 * Errors: `unauthorized`, `not_found`.
 */
async function embed(call: Call, { configId, assetId }: ParsedOf<Embed>): Promise<OutputOf<Embed>> {
  const at = await publishedScope(call, configId)
  const head = await findPublished(at, assetId)
  const { asset } = assetOf(at, head)
  const { baseUrl } = call.environment
  const bytes = new TextEncoder().encode(embedPage(head, asset, publishedUrl(baseUrl, head)))
  const page = new ServedBytes({
    ...(await sourceAtHand(bytes)),
    mimeType: 'text/html; charset=utf-8',
    fileName: 'embed.html',
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
    policy: policyFor(baseUrl),
  })
  return withAudience(at, page)
}

/** The URL of a published asset's renditions, without the rendition's name. */
function publishedUrl(baseUrl: string, { repositoryId, id }: Pick<Entity, 'repositoryId' | 'id'>): string {
  return `${baseUrl}/api/published/assets/${repositoryId}/${id}`
}

// The sandbox gives the page an opaque origin, so `'self'` would match nothing.
function policyFor(baseUrl: string): string {
  const { origin } = new URL(baseUrl)
  const loads = `img-src ${origin}; media-src ${origin}; style-src 'unsafe-inline'`
  return `default-src 'none'; ${loads}; frame-ancestors *; sandbox allow-popups allow-downloads`
}

function embedPage(head: Entity, asset: Asset, url: string): string {
  const { name, description } = storedItem(head)
  const style =
    'html,body{margin:0;height:100%}img,video{max-width:100%;max-height:100%;display:block;margin:auto}audio{width:100%}'
  const body = mediaElement(asset, { url: escaped(url), text: escaped(description || name) })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(name)}</title><style>${style}</style></head><body>${body}</body></html>`
}

function mediaElement(asset: Asset, { url, text }: { url: string; text: string }): string {
  if (isPicture(asset)) return `<img src="${url}/large" alt="${text}">`
  if (asset.mimeType.startsWith('video/'))
    return `<video src="${url}/original" controls preload="metadata" aria-label="${text}"></video>`
  if (asset.mimeType.startsWith('audio/'))
    return `<audio src="${url}/original" controls preload="metadata" aria-label="${text}"></audio>`
  return `<a href="${url}/original" download>${escaped(asset.fileName)}</a>`
}

type Published = Contract['published']

/**
 * Returns the bytes of a published asset or one of its renditions. Errors: `unauthorized`,
 * `not_found`, and those of `assets.get`.
 */
async function getPublishedAsset(
  call: Call,
  { configId, assetId, ...input }: ParsedOf<Published['asset']>,
): Promise<OutputOf<Published['asset']>> {
  const at = await publishedScope(call, configId)
  return serve(at, await findPublished(at, assetId), input)
}

/**
 * Returns the bytes of a published asset by the slug of its item. Errors: those of
 * `getPublishedAsset`.
 */
async function getPublishedAssetBySlug(
  call: Call,
  { configId, slug, ...input }: ParsedOf<Published['assetBySlug']>,
): Promise<OutputOf<Published['assetBySlug']>> {
  const at = await publishedScope(call, configId)
  return serve(at, await findPublishedBySlug(at, slug), input)
}

async function serve(at: PublishedScope, head: Entity, input: AssetInput): Promise<ServedBytes> {
  requirePublishedVersion(input.version, head)
  if (at.call.identity.kind === 'anonymous') requirePreset(input)
  const asset = assetOf(at, head)
  if (input.rendition !== 'original') at.call.cacheTags?.also('presets')
  const key = input.rendition === 'original' ? 'assets.download' : 'assets.read'
  requirePermission(at.call, key, { repositoryId: head.repositoryId, type: head.type })
  const bytes = await serveAsset(at.call, asset, { ...input, version: undefined })
  return withAudience(at, requiredMatch(at.call, bytes))
}

/**
 * Limits anonymous callers to the presets, because every picture in a custom size is stored.
 * Errors: `invalid` naming the members.
 */
function requirePreset(input: AssetInput): void {
  const custom = (['width', 'height', 'fit', 'quality'] as const).filter((name) => input[name] !== undefined)
  if (custom.length === 0) return
  throw invalid(
    custom.map((path) => ({ path, message: 'needs a token: anonymous callers can only use presets' })),
  )
}

/** The file of a published item. Errors: `not_found` when it has none. */
function assetOf({ scope }: PublishedScope, head: Entity): AssetWithBlob {
  const asset = assetIn(head.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { scope, head, asset }
}

/** Marks bytes for an anonymous caller as public, so that shared caches may store them. */
function withAudience({ call }: PublishedScope, bytes: ServedBytes): ServedBytes {
  const isPublic = call.identity.kind === 'anonymous'
  return isPublic ? new ServedBytes({ ...bytes.source, isPublic, isImmutable: false }) : bytes
}
