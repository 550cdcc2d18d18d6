import { QuireError, type BinarySource, type Item } from '@quire/contract'
import { once, type BlobRead } from '../../files/assets/stored-bytes.ts'
import { isVisible } from '../../files/assets/file-types.ts'
import type { Call } from '../../engine/call.ts'
import { collect } from '../../engine/paging.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { atRoot, notFoundFile, PageNotFound } from './not-found-page.ts'
import { type Manifest, type PublishedFile } from './publication/manifest.ts'
import { readManifest } from './publication/store-manifest.ts'
import { readPart } from './publication/pack.ts'
import { addressAt, publicAddress, rootPath } from './publication/address.ts'
import { pictureExtension, withExtension, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { deriveRendition, openDerived } from '../../files/renditions/derive.ts'
import { wantedPicture } from '../../files/renditions/picture-request.ts'
import type { ByteRange, Bytes, StoredBlob } from '../../ports/index.ts'

/** What a page of a site that everybody may see may do: all but act for whoever looks at it, since it is of no origin. */
const publicPolicy =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-top-navigation-by-user-activation'

/** What a page may do that only some may see: its pictures come with their session, so that nothing of it runs. */
export const privatePolicy =
  "default-src 'self' https: data:; style-src 'self' https: 'unsafe-inline'; script-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; sandbox allow-same-origin allow-popups allow-downloads"

/** How a site is served. */
interface Serving {
  /** Where it is served, without a slash at the end. */
  readonly root: string
  readonly isPublic: boolean
}

/** The manifest of a publication; the latest few are at hand. */
export function manifestAt({ shared, environment }: Call, { hash }: StoredBlob): Promise<Manifest> {
  return shared.manifests(hash, () => readManifest(environment.blobs, hash))
}

/** What stands at an address of a publication; a page that moved, or is asked for by another path than its own, leads on. Undefined: nothing. */
export function fileAt(
  call: Call,
  manifest: Manifest,
  { path, ...serving }: Serving & { path: string },
): ServedBytes | undefined {
  const address = addressAt(path)
  const file = address === notFoundFile ? undefined : manifest.files.get(address)
  const moved = manifest.redirects.get(address)
  if (!file && moved !== undefined) return leading(moved, serving)
  if (!file || (!file.page && address !== path)) return undefined
  // Links in a page are relative: they hold at one path alone.
  if (file.page && path !== (address === '' ? '' : `${address}/`)) return leading(address, serving)
  return new ServedBytes({ ...sourceOf(call, file), ...aboutOf(address, file, serving) })
}

/** Refuses an address where nothing is, with the page that the site has for that. Errors: `not_found`. */
export async function nothingThere(
  call: Call,
  { files }: Manifest,
  { root, isPublic }: Serving,
): Promise<never> {
  const message = 'There is no such page or file on this site.'
  const file = files.get(notFoundFile)
  if (!file || !takesPages(call)) throw new QuireError('not_found', message)
  const html = await notFoundHtml(call, file, rootPath(root))
  const policy = isPublic ? publicPolicy : privatePolicy
  throw new PageNotFound(message, { html, policy })
}

/** What a publication shows where there is no page, with links to where the site is. Errors: `not_found` when its bytes are missing. */
export async function notFoundHtml(call: Call, file: PublishedFile, root: string): Promise<string> {
  return atRoot(new TextDecoder().decode(await collect(await fileBytes(call, file))), root)
}

/** Whether who asks may want an error as a page, as browsers do. */
export function takesPages({ accept }: Call): boolean {
  return accept?.includes('text/html') === true
}

/** Sends somebody to a page. */
function leading(address: string, { root, isPublic }: Serving): ServedBytes {
  return new ServedBytes({
    mimeType: 'text/plain; charset=utf-8',
    fileName: 'moved.txt',
    size: 0,
    etag: null,
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
    isPublic,
    location: publicAddress(root, address),
    open: async () => once(new Uint8Array()),
  })
}

function sourceOf(
  call: Call,
  file: PublishedFile,
): Pick<BinarySource, 'size' | 'etag' | 'open' | 'mimeType'> {
  const { size, etag, mimeType } = file
  return { size, etag, mimeType, open: (range) => fileBytes(call, file, range) }
}

// Larger files are read as they are sent.
const mostAtHand = 256 * 1024

/**
 * The bytes of a file of a publication, or a part of them; small ones are at hand. Errors: `not_found` when they are missing, which is told in
 * the log (TRUST F14).
 */
export async function fileBytes(call: Call, file: PublishedFile, range?: ByteRange): Promise<Bytes> {
  if (file.size > mostAtHand) return partOf(call, file, { range, signal: call.signal })
  const { pages } = call.shared
  const bytes = pages.get(file.etag) ?? (await collect(await partOf(call, file, { signal: call.signal })))
  pages.set(file.etag, bytes)
  return once(range ? bytes.subarray(range.start, range.end + 1) : bytes)
}

async function partOf(call: Call, file: PublishedFile, reading?: BlobRead): Promise<Bytes> {
  const bytes = await readPart(call.environment.blobs, file, reading)
  if (bytes) return bytes
  call.environment.log.write('error', 'blob.missing', { hash: file.blob, requestId: call.requestId })
  throw new QuireError('not_found', 'The file of this page is missing: publish the site anew.')
}

/** What the publication made itself: its sitemap and robots file. */
function isOurs(address: string): boolean {
  return !address.startsWith('assets/')
}

function aboutOf(
  address: string,
  { page, mimeType }: PublishedFile,
  { isPublic }: Serving,
): Omit<BinarySource, 'size' | 'etag' | 'open' | 'mimeType'> {
  return {
    fileName: page ? 'index.html' : (address.split('/').at(-1) ?? address),
    disposition: page || isVisible(mimeType) || isOurs(address) ? 'inline' : 'attachment',
    // The address of a file of an item holds what its bytes are.
    isImmutable: !page && address.startsWith('assets/'),
    isNegotiated: false,
    isPublic,
    // What is no page runs nothing, wherever it comes from.
    ...(page && { policy: isPublic ? publicPolicy : privatePolicy }),
  }
}

/** The bytes of a file that a page shows. */
interface FileBinary {
  readonly blob: StoredBlob
  readonly mimeType: string
  /** With its dot. */
  readonly extension: string
}

/** A file as it was uploaded, or a rendition of it, kept; null where there is no such rendition, or none can be made. */
export async function fileBinary(
  call: Call,
  found: { scope: Scope; asset: Asset },
  rendition: string,
): Promise<FileBinary | null> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === rendition)
  const wanted = await wantedPicture(call, found, { input: { rendition }, made }).catch(absent)
  if (wanted) {
    const picture = await deriveRendition(call, wanted).catch(absent)
    if (!picture) return null
    // A publication lasts, and what is made of pictures does not: it is stored as a file of its own.
    const blob = await call.environment.blobs.put(await openDerived(call, wanted, { picture }))
    const { format } = wanted.recipe
    return { blob, mimeType: `image/${format}`, extension: `.${pictureExtension(format)}` }
  }
  if (made)
    return { blob: made, mimeType: made.mimeType, extension: extensionOf(withExtension('a', made.extension)) }
  if (rendition !== 'original') return null
  const { mimeType, fileName } = asset
  // A host of static files would run it, as a page of its own (TRUST S10).
  if (/html|xml|svg|script/.test(`${mimeType} ${extensionOf(fileName)}`))
    return { blob: asset, mimeType: 'application/octet-stream', extension: '.bin' }
  return { blob: asset, mimeType, extension: extensionOf(fileName) }
}

/** There is none for whoever asks. */
function absent(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

function extensionOf(fileName: string): string {
  return /\.[a-z0-9]{1,10}$/.exec(fileName.toLowerCase())?.[0] ?? ''
}

/** Where a file of an item, or a rendition of it, is found; null when there is none. */
export type FindFile = (item: Item, rendition: string) => Promise<string | null>

/** Finds each file of each item once. */
export function eachFileOnce(find: FindFile): FindFile {
  const known = new Map<string, Promise<string | null>>()
  return (item, rendition) => {
    const key = `${item.id}/${rendition}`
    const finding = known.get(key) ?? find(item, rendition)
    known.set(key, finding)
    return finding
  }
}
