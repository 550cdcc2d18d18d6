/** A range of bytes within a blob. */
export interface BlobPart {
  /** The hash of the blob. */
  readonly blob: string
  /** Size of the whole blob in bytes. */
  readonly blobSize: number
  /** Offset of the first byte, from 0. */
  readonly start: number
  readonly size: number
  /** SHA-256 of the range, in hexadecimal. */
  readonly etag: string
}

/** A file of a publication. */
export interface PublishedFile extends BlobPart {
  readonly mimeType: string
  /** Set for a page: its id, and what it was made from. */
  readonly page?: PublishedPage
}

/** What a publication knows about a page besides its bytes. */
interface PublishedPage {
  readonly id: string
  /** Absent in a repository without locales. */
  readonly locale?: string
  /** Ids of what it was made from; `tree` if it shows the site's sections or pages. */
  readonly uses: readonly string[]
  /** When its content last changed, in Unix seconds. Absent in older publications. */
  readonly lastModified?: number
}

/** By what a page in one locale is known, here and in the next publications. */
export function pageKey({ id, locale }: Pick<PublishedPage, 'id' | 'locale'>): string {
  return locale === undefined ? id : `${id}@${locale}`
}

/** The page that a key names. */
export function pageOfKey(key: string): Pick<PublishedPage, 'id' | 'locale'> {
  const [id = '', locale] = key.split('@')
  return { id, ...(locale !== undefined && { locale }) }
}

/** Everything that a publication serves. */
export interface Manifest {
  readonly form: 1
  /** The base URL that its sitemap and links were made with. */
  readonly baseUrl: string
  /** Position in the journal before anything was read for the publication. */
  readonly since: string
  /**
   * By address: `''` is the home page, `news/spring` a page; `sitemap.xml`, `robots.txt` and
   * `assets/…` are plain files.
   */
  readonly files: ReadonlyMap<string, PublishedFile>
  /** From a page's former address to its current one, which is always in `files`. */
  readonly redirects: ReadonlyMap<string, string>
  /**
   * From a page's former address to its key, for pages that are in the site but not published: no
   * redirect until they are.
   */
  readonly away: ReadonlyMap<string, string>
}

/** The hashes of the blobs that a manifest uses, without its own. */
export function blobsOf({ files }: Pick<Manifest, 'files'>): ReadonlySet<string> {
  return new Set(Array.from(files.values(), ({ blob }) => blob))
}

/** The addresses at which two publications of a site serve something different. */
export function changedAddresses(before: Manifest, after: Manifest): string[] {
  const addresses = new Set(
    [before, after].flatMap(({ files, redirects }) => [...files.keys(), ...redirects.keys()]),
  )
  return [...addresses].filter((address) => servedAt(before, address) !== servedAt(after, address))
}

/** What a publication serves at an address, as a text to compare. */
function servedAt({ files, redirects }: Manifest, address: string): string {
  const file = files.get(address)
  if (!file) return `to ${redirects.get(address)}`
  return `${file.etag} ${file.mimeType} ${file.page !== undefined}`
}
