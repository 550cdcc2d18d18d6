import type { Item } from '@quire/contract'
import pLimit from 'p-limit'
import type { Doing } from '../call/job-handler.ts'
import { takingTurns } from '../call/turns.ts'
import { publishedLine } from '../items/published-line.ts'
import { withoutAbsent } from './absent-pages.ts'
import { isPublicly, itemsShown } from './item-source.ts'
import { keptAssets, keptPages } from './kept-files.ts'
import { pagesToRender, visiblePages } from './publication/changed-pages.ts'
import { compact, packsToCompact, partsByEtag } from './publication/compact.ts'
import type { Manifest, PublishedFile } from './publication/manifest.ts'
import { requireOwnAddresses } from './publication/own-addresses.ts'
import { createPack, partInPack, type Pack, type PackedBytes } from './publication/pack.ts'
import { redirectsNow } from './publication/redirects.ts'
import { robotsText } from './publication/robots.ts'
import { sitemapFiles } from './publication/sitemap.ts'
import { publishedAssets } from './published-assets.ts'
import { createSiteRenderer } from './render/site-renderer.ts'
import type { Publishing } from './publishing-parts.ts'
import type { PageNode, SiteMap } from './site-map.ts'

/** A publication that is not kept yet; its files are. */
export interface MadePublication {
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
export async function makePublication(doing: Doing, publishing: Publishing): Promise<MadePublication> {
  const { blobs } = doing.call.environment
  const { before } = publishing
  const present = await withoutAbsent(doing.call, publishing)
  const { map } = present
  requireOwnAddresses(map)
  const due = pagesToRender(present)
  const taken = keptPages(present, due)
  const shown = keptAssets(before, taken)
  const packs = packsToCompact(taken)
  const pack = createPack(blobs, partsByEtag(taken, packs))
  try {
    const { packed, lost } = await moved(doing, { map, taken, packs, pack })
    const assets = await renderPages(doing, present, { nodes: [...due, ...lost], pack, packed })
    const pages = new Map<string, Dated>([...taken, ...packed])
    await addIndexes(present, { pages, pack, packed })
    const blob = await pack.finish()
    const files = new Map([...shown, ...assets, ...taken])
    for (const [address, { bytes, ...about }] of packed)
      files.set(address, { ...partInPack(bytes, blob), ...about })
    return {
      manifest: manifestOf(present, files),
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
  readonly taken: Map<string, PublishedFile>
  readonly packs: ReadonlySet<string>
  readonly pack: Pack
}

/** Copies what lies in packs that are to go; what of it cannot be read is to be rendered anew. */
async function moved(
  { call }: Doing,
  { map, taken, packs, pack }: Moving,
): Promise<{ packed: Packed; lost: PageNode[] }> {
  const copied = await compact(call.environment.blobs, { files: taken, packs, pack })
  const packed: Packed = new Map()
  const lost: PageNode[] = []
  for (const [address, { blob, mimeType, page }] of taken) {
    if (!packs.has(blob) || !page) continue
    taken.delete(address)
    const bytes = copied.get(address)
    const node = map.pages.get(page.id)
    if (bytes) packed.set(address, { bytes, mimeType, page })
    else if (node) lost.push(node)
  }
  return { packed, lost }
}

interface Rendering {
  readonly nodes: readonly PageNode[]
  readonly pack: Pack
  readonly packed: Packed
}

/** Renders pages into the pack, and gives the files of items that they show. */
async function renderPages(
  { call, signal, progress }: Doing,
  { place, map }: Publishing,
  { nodes, pack, packed }: Rendering,
): Promise<ReadonlyMap<string, PublishedFile>> {
  const item = itemsShown(call, { line: publishedLine(place.repository.id), isShown: isPublicly })
  const assets = publishedAssets(call, place)
  const source = { item, file: assets.file }
  const renderer = await createSiteRenderer({ map, repository: place.repository, source, isPreview: false })
  const turn = takingTurns()
  const limit = pLimit(atOnce)
  let done = 0
  const renderOne = async (node: PageNode) => {
    signal.throwIfAborted()
    await turn()
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
  return assets.files
}

/** When a page last changed, or the item that it shows: what is published is seen from then on. Unix seconds. */
function changedDate({ page }: PageNode, item: Item | null): number {
  const latest = Math.max(page.updatedDate, item?.updatedDate ?? 0, item?.publishedDate ?? 0)
  return Math.floor(latest / 1000)
}

/** Adds what search engines ask for. */
async function addIndexes(
  { map, baseUrl }: Publishing,
  { pages, pack, packed }: { pages: ReadonlyMap<string, Dated>; pack: Pack; packed: Packed },
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
