import type { Item } from '@quire/contract'
import pLimit from 'p-limit'
import type { Call } from '../../engine/call.ts'
import type { JobContext } from '../../engine/job.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { publishedBranch } from '../../content/items/publications.ts'
import { hidePagesWithoutItems } from './absent-pages.ts'
import { isPubliclyVisible } from './item-source.ts'
import { reusedAssets, reusedPages, assetAddress } from './stored-files.ts'
import { allPages, pagesToRender, visiblePages, type PagesOf } from './publication/changed-pages.ts'
import { compact, packsToCompact, partsByEtag } from './publication/compact.ts'
import { pageKey, type Manifest, type PublishedFile } from './publication/manifest.ts'
import { requireOwnAddresses } from './publication/own-addresses.ts'
import { createPack, partInPack, type Pack, type PackedBytes } from './publication/pack.ts'
import { redirectsNow } from './publication/redirects.ts'
import { robotsText, sitemapFiles, type ListedPage } from './publication/sitemap.ts'
import { notFoundNode } from './not-found-page.ts'
import { createRenderings, type Renderings } from './renderings.ts'
import type { PublicationParts } from './publication-parts.ts'
import type { PageNode, SiteMap } from './site-map.ts'
import { assetIn } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { fileBinary, cacheFiles, type FindFile } from './served-file.ts'

/** A publication that is not stored yet, although its files are. */
interface PreparedPublication {
  readonly manifest: Manifest
  readonly pages: number
  readonly rendered: number
}

/** Files that were added to a pack, by address. */
type PackedFiles = Map<string, Pick<PublishedFile, 'mimeType' | 'page'> & { readonly bytes: PackedBytes }>

/** The part of a file that says when its page last changed. */
type DatedFile = Pick<PublishedFile, 'page'>

const html = 'text/html; charset=utf-8'

/** Pages rendered concurrently. While one waits for its pictures, others are rendered. */
const pagesAtOnce = 4

/**
 * Renders changed pages, reuses the rest from the previous publication, and stores the files.
 * Errors: TemplateFault; JobFailed for a page whose item is deleted; `invalid_state` for pages with
 * the same address.
 */
export async function makePublication(
  context: JobContext,
  given: PublicationParts,
): Promise<PreparedPublication> {
  const { blobs } = context.call.environment
  const parts = await hidePagesWithoutItems(context.call, given)
  const { maps, before, changed } = parts
  const map = allPages(maps)
  requireOwnAddresses(map)
  const due = pagesToRender({ map, before, changed })
  const reused = reusedPages({ map, before }, due)
  const assets = reusedAssets(before, reused)
  const packs = packsToCompact(reused)
  const pack = createPack(blobs, partsByEtag(reused, packs))
  try {
    const { packed, lost } = await movePages(context, { map, reused, packs, pack })
    const assetFiles = publishedAssets(context.call, parts.scope)
    const { repository } = parts.scope
    const renderings = await createRenderings(context.call, {
      maps,
      repository,
      file: assetFiles.file,
      isPreview: false,
      items: (locale) => ({
        branch: publishedBranch(repository, locale?.code),
        isVisible: isPubliclyVisible,
      }),
    })
    await renderPages(context, renderings, { nodes: [...due, ...lost], pack, packed })
    const pages = new Map<string, DatedFile>([...reused, ...packed])
    await addNotFound(context, renderings, { maps, pack, packed })
    await addIndexes(parts, { pages, pack, packed })
    const blob = await pack.finish()
    const files = new Map([...assets, ...assetFiles.files, ...reused])
    for (const [address, { bytes, ...about }] of packed)
      files.set(address, { ...partInPack(bytes, blob), ...about })
    return {
      manifest: manifestOf(parts, files),
      pages: pages.size,
      rendered: due.length + lost.length,
    }
  } catch (error) {
    await pack.abort(error)
    throw error
  }
}

interface PageMove {
  readonly map: PagesOf<PageNode>
  readonly reused: Map<string, PublishedFile>
  readonly packs: ReadonlySet<string>
  readonly pack: Pack
}

/**
 * Moves reused pages out of the packs that are compacted, into the new pack. Removes them from
 * `reused`. Pages that cannot be read are `lost` and must be rendered again.
 */
async function movePages(
  { call }: JobContext,
  { map, reused, packs, pack }: PageMove,
): Promise<{ packed: PackedFiles; lost: PageNode[] }> {
  const copied = await compact(call.environment.blobs, { files: reused, packs, pack })
  const packed: PackedFiles = new Map()
  const lost: PageNode[] = []
  for (const [address, { blob, mimeType, page }] of reused) {
    if (!packs.has(blob) || !page) continue
    reused.delete(address)
    const bytes = copied.get(address)
    const node = map.pages.get(pageKey(page))
    if (bytes) packed.set(address, { bytes, mimeType, page })
    else if (node) lost.push(node)
  }
  return { packed, lost }
}

interface Packing {
  readonly pack: Pack
  readonly packed: PackedFiles
}

/** Renders pages and adds them to the pack. */
async function renderPages(
  { signal, progress }: JobContext,
  renderings: Renderings,
  { nodes, pack, packed }: Packing & { readonly nodes: readonly PageNode[] },
): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const limit = pLimit(pagesAtOnce)
  let done = 0
  const renderOne = async (node: PageNode) => {
    signal.throwIfAborted()
    await yieldToLoop()
    const { renderer, item } = renderings(node)
    const { html: text, uses } = await renderer.render(node)
    const bytes = await pack.add(new TextEncoder().encode(text))
    const lastModified = changedDate(node, node.page.itemId === null ? null : await item(node.page.itemId))
    const locale = node.locale && { locale: node.locale.code }
    const page = { id: node.page.id, ...locale, uses: [...uses], lastModified }
    packed.set(node.path, { bytes, mimeType: html, page })
    done += 1
    progress({ done, total: nodes.length, message: 'pages' })
  }
  try {
    await Promise.all(nodes.map((node) => limit(() => renderOne(node))))
  } finally {
    limit.clearQueue()
  }
}

/** Adds the not-found page of each locale. It does not count as a page and is rendered every time. */
async function addNotFound(
  { signal }: JobContext,
  renderings: Renderings,
  { maps, pack, packed }: Packing & { readonly maps: readonly SiteMap[] },
): Promise<void> {
  for (const node of maps.flatMap((map) => notFoundNode(map) ?? [])) {
    signal.throwIfAborted()
    const { html: text } = await renderings(node).renderer.render(node)
    packed.set(node.path, { bytes: await pack.add(new TextEncoder().encode(text)), mimeType: html })
  }
}

/** When a page or its item last changed, or when the item was published, in Unix seconds. */
function changedDate({ page }: PageNode, item: Item | null): number {
  const latest = Math.max(page.updatedDate, item?.updatedDate ?? 0, item?.publishedDate ?? 0)
  return Math.floor(latest / 1000)
}

/** Adds the sitemap and the robots file. */
async function addIndexes(
  { maps, baseUrl }: PublicationParts,
  { pages, pack, packed }: Packing & { readonly pages: ReadonlyMap<string, DatedFile> },
): Promise<void> {
  const listed = visiblePages(allPages(maps)).flatMap(({ path, page }) => {
    const file = pages.get(path)
    const seconds = file?.page?.lastModified ?? Math.floor(page.updatedDate / 1000)
    const alternates = alternatesOf(maps, page.id)
    return file ? [{ address: path, lastModified: seconds * 1000, alternates }] : []
  })
  const texts = new Map([...sitemapFiles(baseUrl, listed), ['robots.txt', robotsText(baseUrl)] as const])
  for (const [address, text] of texts) {
    const mimeType = address.endsWith('.xml') ? 'application/xml' : 'text/plain; charset=utf-8'
    packed.set(address, { bytes: await pack.add(new TextEncoder().encode(text)), mimeType })
  }
}

type Alternates = NonNullable<ListedPage['alternates']>

/** The addresses of a page in all locales in which it is visible, if there are several. */
function alternatesOf(maps: readonly SiteMap[], pageId: string): Alternates {
  const found = maps.flatMap(({ locale, pages }) => {
    const node = pages.get(pageId)
    return locale && node?.page.visible ? [{ locale: locale.code, address: node.path }] : []
  })
  return found.length > 1 ? found : []
}

function manifestOf(
  { maps, before, newest, since, baseUrl }: PublicationParts,
  files: Map<string, PublishedFile>,
): Manifest {
  const { pages } = allPages(maps)
  const addresses = [...files].flatMap(([address, { page }]) =>
    page ? [[pageKey(page), address] as const] : [],
  )
  const now = { addresses: new Map(addresses), isThere: (key: string) => pages.has(key) }
  const known = [before, newest].filter((manifest) => manifest !== null)
  return { form: 1, baseUrl, since, files, ...redirectsNow(known, now) }
}

/** The files of items that a publication's pages show, collected while the pages are rendered. */
interface PublishedAssets {
  /** Finds the address of a rendition in the publication; null when there is none. */
  readonly file: FindFile
  /** By address. */
  readonly files: ReadonlyMap<string, PublishedFile>
}

/** Finds and collects the files of published items. */
function publishedAssets(call: Call, scope: Scope): PublishedAssets {
  const branch = publishedBranch(scope.repository)
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
  return { files, file: cacheFiles(add) }
}
