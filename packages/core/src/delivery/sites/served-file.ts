import { QuireError, type BinarySource, type Item } from '@quire/contract'
import { once, type BlobRead } from '../../files/assets/stored-bytes.ts'
import { isVisible } from '../../files/assets/file-types.ts'
import type { Call } from '../../engine/call.ts'
import { collect } from '../../engine/paging.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { atRoot, isNotFoundFile, notFoundFilesFor, PageNotFound } from './not-found-page.ts'
import type { PublishedSiteRecord } from './record.ts'
import { type Manifest, type PublishedFile } from './publication/manifest.ts'
import { readManifest } from './publication/store-manifest.ts'
import { readPart } from './publication/pack.ts'
import { addressAt, publicAddress, rootPath } from './publication/address.ts'
import { pictureExtension, withExtension, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { deriveRendition, openDerived } from '../../files/renditions/derive.ts'
import { findPictureRequest } from '../../files/renditions/picture-request.ts'
import type { ByteRange, Bytes, StoredBlob } from '../../ports/index.ts'

/**
 * Policy for pages that anyone may see. Scripts may run, but in an opaque origin, so they cannot
 * act as the reader.
 */
const publicPolicy =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-top-navigation-by-user-activation'

/**
 * Policy for pages that only some callers may see. Pictures need the reader's session, so scripts
 * are forbidden.
 */
export const privatePolicy =
  "default-src 'self' https: data:; style-src 'self' https: 'unsafe-inline'; script-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; sandbox allow-same-origin allow-popups allow-downloads"

/**
 * Policy for pages whose address is all that a reader needs: in an opaque origin, which sends its address
 * to nobody, whatever the page says (Referrer Policy §8.3).
 */
export const sharedPolicy = privatePolicy.replace(' allow-same-origin', '')

/** How a site is served. */
interface Serving {
  /** The site's URL, without a trailing slash. */
  readonly root: string
  readonly isPublic: boolean
}

/**
 * Reads the manifest of a publication. The latest few are cached. Errors: those of `readManifest`.
 */
export function manifestAt({ shared, environment }: Call, { hash }: StoredBlob): Promise<Manifest> {
  return shared.manifests(hash, () => readManifest(environment.blobs, hash))
}

/** Reports what a page or file depends on, if everyone may read it. */
export function dependOnPage(
  { cacheTags, identity }: Call,
  { id, repositoryId }: Pick<PublishedSiteRecord, 'id' | 'repositoryId'>,
  path: string,
): void {
  if (identity.kind !== 'anonymous') return
  cacheTags?.open(repositoryId)
  cacheTags?.page(id, addressAt(path))
}

/**
 * The file at a path of a publication; undefined when there is none. A page that has moved, or that
 * is requested by another spelling of its path, becomes a redirect.
 */
export function fileAt(
  call: Call,
  manifest: Manifest,
  { path, ...serving }: Serving & { path: string },
): ServedBytes | undefined {
  const address = addressAt(path)
  const file = isNotFoundFile(address) ? undefined : manifest.files.get(address)
  const moved = manifest.redirects.get(address)
  if (!file && moved !== undefined) return redirectTo(moved, serving)
  if (!file || (!file.page && address !== path)) return undefined
  // Links in a page are relative, so they only work at one path.
  if (file.page && path !== (address === '' ? '' : `${address}/`)) return redirectTo(address, serving)
  return new ServedBytes({ ...sourceOf(call, file), ...propertiesOf(address, file, serving) })
}

/** Throws `not_found`, with the site's not-found page if it has one and the caller accepts HTML. */
export async function refuseAsNotFound(
  call: Call,
  { files }: Manifest,
  { root, isPublic, path }: Serving & { path: string },
): Promise<never> {
  const message = 'There is no such page or file on this site.'
  const [file] = notFoundFilesFor(path).flatMap((address) => files.get(address) ?? [])
  if (!file || !acceptsHtml(call)) throw new QuireError('not_found', message)
  const html = await notFoundHtml(call, file, rootPath(root))
  const policy = isPublic ? publicPolicy : privatePolicy
  throw new PageNotFound(message, { html, policy })
}

/**
 * The not-found page of a publication, with links for a site at `root`. Errors: `not_found` when
 * its bytes are missing.
 */
export async function notFoundHtml(call: Call, file: PublishedFile, root: string): Promise<string> {
  return atRoot(new TextDecoder().decode(await collect(await fileBytes(call, file))), root)
}

/** Whether the caller accepts errors as HTML, as browsers do. */
export function acceptsHtml({ accept }: Call): boolean {
  return accept?.includes('text/html') === true
}

/** A redirect to a page. */
function redirectTo(address: string, { root, isPublic }: Serving): ServedBytes {
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

// Bytes. Larger files are not cached but read while they are sent.
const largestCached = 256 * 1024

/**
 * Reads a file of a publication, or a range of it. Small files are cached. Errors: `not_found` when
 * the bytes are missing, which is also logged (TRUST F14).
 */
export async function fileBytes(call: Call, file: PublishedFile, range?: ByteRange): Promise<Bytes> {
  if (file.size > largestCached) return readFile(call, file, { range, signal: call.signal })
  const { pages } = call.shared
  const bytes = pages.get(file.etag) ?? (await collect(await readFile(call, file, { signal: call.signal })))
  pages.set(file.etag, bytes)
  return once(range ? bytes.subarray(range.start, range.end + 1) : bytes)
}

async function readFile(call: Call, file: PublishedFile, read?: BlobRead): Promise<Bytes> {
  const bytes = await readPart(call.environment.blobs, file, read)
  if (bytes) return bytes
  call.environment.log.write('error', 'blob.missing', { hash: file.blob, requestId: call.requestId })
  throw new QuireError('not_found', 'The file of this page is missing: publish the site again.')
}

/** Whether the publication generated the file itself: pages, sitemaps, the robots file. */
function isGenerated(address: string): boolean {
  return !address.startsWith('assets/')
}

function propertiesOf(
  address: string,
  { page, mimeType }: PublishedFile,
  { isPublic }: Serving,
): Omit<BinarySource, 'size' | 'etag' | 'open' | 'mimeType'> {
  return {
    fileName: page ? 'index.html' : (address.split('/').at(-1) ?? address),
    disposition: page || isVisible(mimeType) || isGenerated(address) ? 'inline' : 'attachment',
    // The address of an item's file contains a hash of its bytes.
    isImmutable: !page && address.startsWith('assets/'),
    isNegotiated: false,
    isPublic,
    // Without a policy of its own, a file gets the default one, which runs nothing.
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

/**
 * Finds the original file of an asset or one of its renditions. A derived picture is stored as a
 * blob. Null when the rendition does not exist or cannot be made.
 */
export async function fileBinary(
  call: Call,
  found: { scope: Scope; asset: Asset },
  rendition: string,
): Promise<FileBinary | null> {
  const { asset } = found
  const made = asset.renditions.find(({ name }) => name === rendition)
  const wanted = await findPictureRequest(call, found, { input: { rendition }, made }).catch(ignoreRefusal)
  if (wanted) {
    const picture = await deriveRendition(call, wanted).catch(ignoreRefusal)
    if (!picture) return null
    // Derived pictures can be deleted, but a publication must last: it gets its own blob.
    const blob = await call.environment.blobs.put(await openDerived(call, wanted, { picture }))
    const { format } = wanted.recipe
    return { blob, mimeType: `image/${format}`, extension: `.${pictureExtension(format)}` }
  }
  if (made)
    return { blob: made, mimeType: made.mimeType, extension: extensionOf(withExtension('a', made.extension)) }
  if (rendition !== 'original') return null
  const { mimeType, fileName } = asset
  // A static host would serve it as a page that can run scripts (TRUST S10).
  if (/html|xml|svg|script/.test(`${mimeType} ${extensionOf(fileName)}`))
    return { blob: asset, mimeType: 'application/octet-stream', extension: '.bin' }
  return { blob: asset, mimeType, extension: extensionOf(fileName) }
}

/** Treats a refusal as an absent rendition. Throws other errors. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

function extensionOf(fileName: string): string {
  return /\.[a-z0-9]{1,10}$/.exec(fileName.toLowerCase())?.[0] ?? ''
}

/** Finds the URL or path of an item's file or rendition; null when there is none. */
export type FindFile = (item: Item, rendition: string) => Promise<string | null>

/** Looks each file of each item up once, and caches the result. */
export function cacheFiles(find: FindFile): FindFile {
  const known = new Map<string, Promise<string | null>>()
  return (item, rendition) => {
    const key = `${item.id}/${rendition}`
    const finding = known.get(key) ?? find(item, rendition)
    known.set(key, finding)
    return finding
  }
}
