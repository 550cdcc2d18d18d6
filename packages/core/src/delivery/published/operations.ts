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
/** Pixels of what has no size of its own. */
const frame = { width: 640, height: 360 }

/** What to show of an address of a published asset (oEmbed 1.0). Errors: `not_found` for any other address; `unauthorized`. */
export async function oembed(call: Call, input: Input): Promise<OutputOf<OEmbed>> {
  const { baseUrl } = call.environment
  const named = addressed(baseUrl, input.url)
  const at = await publishedScope(call, named.configId)
  const head = await ('slug' in named
    ? findPublishedBySlug(at, named.slug)
    : findPublished(at, named.assetId))
  const { asset } = assetOf(at, head)
  const { name } = storedItem(head)
  const size = fitting(asset, input)
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

type Addressed =
  | { readonly configId: string; readonly assetId: string }
  | { readonly configId: string; readonly slug: string }

/** What an address of this service names. Errors: `not_found`. */
function addressed(baseUrl: string, url: string): Addressed {
  const base = `${baseUrl}/api/`
  const [path = ''] = url.startsWith(base) ? url.slice(base.length).split(/[?#]/) : []
  for (const { form, names } of addresses) {
    const found = form.exec(path)?.slice(1).map(decoded)
    if (found) return names(found)
  }
  throw new QuireError('not_found', 'This is no address of a published asset of this service.')
}

/** The addresses that can be embedded, below `/api/`, and what their parts name. */
const addresses: readonly { form: RegExp; names: (parts: readonly string[]) => Addressed }[] = [
  { form: /^embed\/([^/]+)\/([^/]+)$/, names: byId },
  { form: /^published\/assets\/([^/]+)\/([^/]+)\/[^/]+$/, names: byId },
  {
    form: /^published\/assets\/([^/]+)\/slug\/([^/]+)\/[^/]+$/,
    names: ([configId = '', slug = '']) => ({ configId, slug }),
  },
]

function byId([configId = '', assetId = '']: readonly string[]): Addressed {
  return { configId, assetId }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The smallest preset that has so many pixels; the original where none has, or where it is no larger. */
function renditionFor({ width, height }: Asset, size: { width: number; height: number }): string {
  const needed = Math.max(size.width, size.height)
  const whole = Math.max(width ?? 0, height ?? 0)
  const preset = Object.entries(builtInSides).find(([, side]) => side >= needed)
  return preset && preset[1] < whole ? preset[0] : 'original'
}

/** The size within the wanted bounds, in the proportions of the picture. */
function fitting(
  { width, height }: Asset,
  { maxwidth = Number.POSITIVE_INFINITY, maxheight = Number.POSITIVE_INFINITY }: Input,
): { width: number; height: number } {
  const own = width === null || height === null ? frame : { width, height }
  const scale = Math.min(1, maxwidth / own.width, maxheight / own.height)
  return {
    width: Math.max(1, Math.floor(own.width * scale)),
    height: Math.max(1, Math.floor(own.height * scale)),
  }
}

type Embed = Contract['published']['embed']

/** A page with a published asset in it, which runs nothing and loads from this service alone. Errors: `unauthorized`, `not_found`. */
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
  return openTo(at, page)
}

/** The address of the renditions of a published asset, without the rendition's name. */
function publishedUrl(baseUrl: string, { repositoryId, id }: Pick<Entity, 'repositoryId' | 'id'>): string {
  return `${baseUrl}/api/published/assets/${repositoryId}/${id}`
}

// The sandbox keeps the page from being of this origin: `'self'` would name nothing.
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

/** The bytes of a published asset or of a rendition of it. Errors: `unauthorized`, `not_found`, and as `assets.get`. */
async function getPublishedAsset(
  call: Call,
  { configId, assetId, ...input }: ParsedOf<Published['asset']>,
): Promise<OutputOf<Published['asset']>> {
  const at = await publishedScope(call, configId)
  return serve(at, await findPublished(at, assetId), input)
}

/** The same by the slug of its item. */
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
function assetOf({ scope }: PublishedScope, head: Entity): AssetWithBlob {
  const asset = assetIn(head.body)
  if (!asset) throw new QuireError('not_found', 'This item has no file.')
  return { scope, head, asset }
}

/** Bytes that everybody may have say so, where nobody in particular asked. */
function openTo({ call }: PublishedScope, bytes: ServedBytes): ServedBytes {
  const isPublic = call.identity.kind === 'anonymous'
  return isPublic ? new ServedBytes({ ...bytes.source, isPublic, isImmutable: false }) : bytes
}
