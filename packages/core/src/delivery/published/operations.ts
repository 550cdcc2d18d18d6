import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { escaped } from '../../engine/html.ts'
import { builtInSides, isPicture, type Asset } from '../../content/items/asset.ts'
import { storedItem } from '../../content/items/item-json.ts'
import { assetOf } from './assets.ts'
import { publishedUrl } from './embed.ts'
import { findPublished, findPublishedBySlug } from './items.ts'
import { publishedScope } from './scope.ts'

export { getPublishedAsset as asset, getPublishedAssetBySlug as assetBySlug } from './assets.ts'
export { embed } from './embed.ts'
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
