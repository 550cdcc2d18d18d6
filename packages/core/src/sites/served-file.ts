import { QuireError, type BinarySource } from '@quire/contract'
import { once, type BlobReading } from '../assets/kept-bytes.ts'
import { isShown } from '../assets/sniff.ts'
import type { Call } from '../call/call.ts'
import { collect } from '../call/collect.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import type { ByteRange, Bytes, StoredBlob } from '../ports/index.ts'
import { readManifest } from './publication/keep-manifest.ts'
import type { Manifest, PublishedFile } from './publication/manifest.ts'
import { readPart } from './publication/read-part.ts'
import { publicAddress } from './publication/address.ts'

/** What a page of a site that everybody may see may do: all but act for who looks at it, since it is of no origin. */
export const publicPolicy =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-top-navigation-by-user-activation'

/** What a page may do that only some may see: its pictures come with their session, so that nothing of it runs. */
export const privatePolicy =
  "default-src 'self' https: data:; style-src 'self' https: 'unsafe-inline'; script-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; sandbox allow-same-origin allow-popups allow-downloads"

/** How a site is served. */
export interface Serving {
  /** Where it is served, without a slash at the end. */
  readonly root: string
  readonly isPublic: boolean
}

/** The manifest of a publication; the latest few are at hand. */
export function manifestAt({ shared, environment }: Call, { hash }: StoredBlob): Promise<Manifest> {
  return shared.manifests(hash, () => readManifest(environment.blobs, hash))
}

/** What stands at an address of a publication; a page that moved, or was asked for without its slash, leads on. Errors: `not_found`. */
export function fileAt(
  call: Call,
  manifest: Manifest,
  { path, ...serving }: Serving & { path: string },
): ServedBytes {
  const address = path.endsWith('/') ? path.slice(0, -1) : path
  const file = manifest.files.get(address)
  const moved = manifest.redirects.get(address)
  if (!file && moved !== undefined) return leading(publicAddress(serving.root, moved))
  if (!file || (!file.page && address !== path))
    throw new QuireError('not_found', 'There is no such page or file on this site.')
  if (file.page && address === path && address !== '') return leading(publicAddress(serving.root, address))
  return new ServedBytes({ ...sourceOf(call, file), ...aboutOf(address, file, serving) })
}

/** Where somebody is sent. */
function leading(location: string): ServedBytes {
  return new ServedBytes({
    mimeType: 'text/plain; charset=utf-8',
    fileName: 'moved.txt',
    size: 0,
    etag: null,
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
    location,
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

async function partOf(call: Call, file: PublishedFile, reading?: BlobReading): Promise<Bytes> {
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
    disposition: page || isShown(mimeType) || isOurs(address) ? 'inline' : 'attachment',
    // The address of a file of an item holds what its bytes are.
    isImmutable: !page && address.startsWith('assets/'),
    isNegotiated: false,
    isPublic,
    // What is no page runs nothing, wherever it comes from.
    ...(page && { policy: isPublic ? publicPolicy : privatePolicy }),
  }
}
