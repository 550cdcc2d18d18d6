import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import { isPicture, type Asset } from '../../content/items/asset.ts'
import { storedItem } from '../../content/items/item-json.ts'
import type { Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { escaped } from '../../engine/html.ts'
import type { Entity } from '../../ports/index.ts'
import { assetOf, openTo } from './assets.ts'
import { findPublished } from './items.ts'
import { publishedScope } from './scope.ts'

type Embed = Contract['published']['embed']

/** A page with a published asset in it, which runs nothing and loads from this service alone. Errors: `unauthorized`, `not_found`. */
export async function embed(call: Call, { configId, assetId }: ParsedOf<Embed>): Promise<OutputOf<Embed>> {
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
export function publishedUrl(
  baseUrl: string,
  { repositoryId, id }: Pick<Entity, 'repositoryId' | 'id'>,
): string {
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
