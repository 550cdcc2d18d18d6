import type { Item } from '@quire/contract'
import pLimit from 'p-limit'
import type { Call } from '../../engine/call.ts'
import type { JobContext } from '../../engine/job.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import { withoutAbsent } from './absent-pages.ts'
import { isPublicly, itemsVisible } from './item-source.ts'
import { storedAssets, storedPages, assetAddress } from './stored-files.ts'
import { pagesToRender, visiblePages } from './publication/changed-pages.ts'
import { compact, packsToCompact, partsByEtag } from './publication/compact.ts'
import type { Manifest, PublishedFile } from './publication/manifest.ts'
import { requireOwnAddresses } from './publication/own-addresses.ts'
import { createPack, partInPack, type Pack, type PackedBytes } from './publication/pack.ts'
import { redirectsNow } from './publication/redirects.ts'
import { robotsText, sitemapFiles } from './publication/sitemap.ts'
import { notFoundNode } from './not-found-page.ts'
import type { RenderSource } from './render/template-fault.ts'
import { createSiteRenderer, type SiteRenderer } from './render/site-renderer.ts'
import type { Publishing } from './publishing-parts.ts'
import type { PageNode, SiteMap } from './site-map.ts'
import { assetIn } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { fileBinary, eachFileOnce, type FindFile } from './served-file.ts'

/** A publication that is not kept yet; its files are. */
interface MadePublication {
  readonly manifest: Manifest
  readonly pages: number
  readonly rendered: number
}

/** Files on their way into a pack, by address. */
type Packed = Map<string, Pick<PublishedFile, 'mimeType' | 'page'> & { readonly bytes: PackedBytes }>

/** What of a file says when its page last changed. */
type Dated = Pick<PublishedFile, 'page'>

const html = 'text/html; charset=utf-8'

/** Pages in work at a time: while pictures of one are made, others are rendered. */
const atOnce = 4

/**
 * Renders what changed, takes the rest from the publication before, and keeps the files. Errors: TemplateFault; JobFailed for a page whose
 * item is gone; `invalid_state` for pages at one address.
 */
export async function makePublication(context: JobContext, publishing: Publishing): Promise<MadePublication> {
  const { blobs } = context.call.environment
  const { before } = publishing
  const existing = await withoutAbsent(context.call, publishing)
  const { map } = existing
  requireOwnAddresses(map)
  const due = pagesToRender(existing)
  const inUse = storedPages(existing, due)
  const visible = storedAssets(before, inUse)
  const packs = packsToCompact(inUse)
  const pack = createPack(blobs, partsByEtag(inUse, packs))
  try {
    const { packed, lost } = await moved(context, { map, inUse, packs, pack })
    const rendering = await renderingOf(context.call, existing)
    await renderPages(context, rendering, { nodes: [...due, ...lost], pack, packed })
    const pages = new Map<string, Dated>([...inUse, ...packed])
    await addNotFound(context, rendering, { map, pack, packed })
    await addIndexes(existing, { pages, pack, packed })
    const blob = await pack.finish()
    const files = new Map([...visible, ...rendering.assets.files, ...inUse])
    for (const [address, { bytes, ...about }] of packed)
      files.set(address, { ...partInPack(bytes, blob), ...about })
    return {
      manifest: manifestOf(existing, files),
      pages: pages.size,
      rendered: due.length + lost.length,
    }
  } catch (error) {
    await pack.abort(error)
    throw error
  }
}

interface Moving {
  readonly map: SiteMap
  readonly inUse: Map<string, PublishedFile>
  readonly packs: ReadonlySet<string>
  readonly pack: Pack
}

/** Copies what lies in packs that are to go; what of it cannot be read is to be rendered anew. */
async function moved(
  { call }: JobContext,
  { map, inUse, packs, pack }: Moving,
): Promise<{ packed: Packed; lost: PageNode[] }> {
  const copied = await compact(call.environment.blobs, { files: inUse, packs, pack })
  const packed: Packed = new Map()
  const lost: PageNode[] = []
  for (const [address, { blob, mimeType, page }] of inUse) {
    if (!packs.has(blob) || !page) continue
    inUse.delete(address)
    const bytes = copied.get(address)
    const node = map.pages.get(page.id)
    if (bytes) packed.set(address, { bytes, mimeType, page })
    else if (node) lost.push(node)
  }
  return { packed, lost }
}

/** What pages are rendered with, and the files of items that they show. */
interface Rendering {
  readonly renderer: SiteRenderer
  readonly item: RenderSource['item']
  readonly assets: PublishedAssets
}

async function renderingOf(call: Call, { scope, map }: Publishing): Promise<Rendering> {
  const item = itemsVisible(call, { branch: publishedBranch(scope.repository.id), isVisible: isPublicly })
  const assets = publishedAssets(call, scope)
  const source = { item, file: assets.file }
  const { repository } = scope
  const { round } = call.shared
  const renderer = await createSiteRenderer({ map, repository, source, isPreview: false, round })
  return { renderer, item, assets }
}

interface Packing {
  readonly pack: Pack
  readonly packed: Packed
}

/** Renders pages into the pack. */
async function renderPages(
  { signal, progress }: JobContext,
  { renderer, item }: Rendering,
  { nodes, pack, packed }: Packing & { readonly nodes: readonly PageNode[] },
): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const limit = pLimit(atOnce)
  let done = 0
  const renderOne = async (node: PageNode) => {
    signal.throwIfAborted()
    await yieldToLoop()
    const { html: text, uses } = await renderer.render(node)
    const bytes = await pack.add(new TextEncoder().encode(text))
    const lastModified = changedDate(node, node.page.itemId === null ? null : await item(node.page.itemId))
    packed.set(node.path, {
      bytes,
      mimeType: html,
      page: { id: node.page.id, uses: [...uses], lastModified },
    })
    done += 1
    progress({ done, total: nodes.length, message: 'pages' })
  }
  try {
    await Promise.all(nodes.map((node) => limit(() => renderOne(node))))
  } finally {
    limit.clearQueue()
  }
}

/** Adds what is shown where there is no page. It is none itself, and is rendered each time. */
async function addNotFound(
  { signal }: JobContext,
  { renderer }: Rendering,
  { map, pack, packed }: Packing & { readonly map: SiteMap },
): Promise<void> {
  const node = notFoundNode(map.site)
  if (!node) return
  signal.throwIfAborted()
  const { html: text } = await renderer.render(node)
  packed.set(node.path, { bytes: await pack.add(new TextEncoder().encode(text)), mimeType: html })
}

/** When a page last changed, or the item that it shows: what is published is seen from then on. Unix seconds. */
function changedDate({ page }: PageNode, item: Item | null): number {
  const latest = Math.max(page.updatedDate, item?.updatedDate ?? 0, item?.publishedDate ?? 0)
  return Math.floor(latest / 1000)
}

/** Adds what search engines ask for. */
async function addIndexes(
  { map, baseUrl }: Publishing,
  { pages, pack, packed }: Packing & { readonly pages: ReadonlyMap<string, Dated> },
): Promise<void> {
  const listed = visiblePages(map).flatMap(({ path, page }) => {
    const file = pages.get(path)
    const seconds = file?.page?.lastModified ?? Math.floor(page.updatedDate / 1000)
    return file ? [{ address: path, lastModified: seconds * 1000 }] : []
  })
  const texts = new Map([...sitemapFiles(baseUrl, listed), ['robots.txt', robotsText(baseUrl)] as const])
  for (const [address, text] of texts) {
    const mimeType = address.endsWith('.xml') ? 'application/xml' : 'text/plain; charset=utf-8'
    packed.set(address, { bytes: await pack.add(new TextEncoder().encode(text)), mimeType })
  }
}

function manifestOf(
  { map, before, newest, since, baseUrl }: Publishing,
  files: Map<string, PublishedFile>,
): Manifest {
  const addresses = [...files].flatMap(([address, { page }]) => (page ? [[page.id, address] as const] : []))
  const now = { addresses: new Map(addresses), isThere: (pageId: string) => map.pages.has(pageId) }
  const known = [before, newest].filter((manifest) => manifest !== null)
  return { form: 1, baseUrl, since, files, ...redirectsNow(known, now) }
}

/** The files of items that the pages of a publication show, as they come to be known. */
interface PublishedAssets {
  /** Where a rendition stands in the publication; null when there is none. */
  readonly file: FindFile
  /** By address. */
  readonly files: ReadonlyMap<string, PublishedFile>
}

/** The files of published items: originals as they are kept, pictures as they are made. */
function publishedAssets(call: Call, scope: Scope): PublishedAssets {
  const branch = publishedBranch(scope.repository.id)
  const files = new Map<string, PublishedFile>()
  const add: FindFile = async ({ id }, rendition) => {
    const head = await call.store.entities.get(branch, 'item', id)
    const asset = head && assetIn(head.body)
    if (!head || !asset) return null
    const found = await fileBinary(call, { scope: { ...scope, branch }, asset }, rendition)
    if (!found) return null
    const { blob, mimeType, extension } = found
    const address = assetAddress(id, rendition, { version: blob.hash.slice(0, 12), extension })
    files.set(address, {
      blob: blob.hash,
      blobSize: blob.size,
      start: 0,
      size: blob.size,
      etag: blob.hash,
      mimeType,
    })
    return address
  }
  return { files, file: eachFileOnce(add) }
}
