/** Bytes within a blob. */
export interface BlobPart {
  /** The hash of the blob. */
  readonly blob: string
  /** Bytes of all of the blob. */
  readonly blobSize: number
  /** Where they begin, counted from 0. */
  readonly start: number
  readonly size: number
  /** SHA-256 of them, in hexadecimal. */
  readonly etag: string
}

/** A file of a publication. */
export interface PublishedFile extends BlobPart {
  readonly mimeType: string
  /** Of a page: its id, and what it was made of. */
  readonly page?: PublishedPage
}

/** What a publication knows of a page beside its bytes. */
interface PublishedPage {
  readonly id: string
  /** Ids of what it was made of; `tree`: of what stands in the site. */
  readonly uses: readonly string[]
  /** When what it shows last changed, Unix seconds. Absent where it was published before that was kept. */
  readonly lastModified?: number
}

/** All that is served of a publication. */
export interface Manifest {
  readonly form: 1
  /** The base address that its sitemap and links were made with. */
  readonly baseUrl: string
  /** Position of the journal before anything was read for it. */
  readonly since: string
  /** By address: `''` is the home page, `news/spring` a page; `sitemap.xml`, `robots.txt` and `assets/…` are files as they are. */
  readonly files: ReadonlyMap<string, PublishedFile>
  /** From an address where a page was to the one where it is: always one of `files`. */
  readonly redirects: ReadonlyMap<string, string>
  /** From an address where a page was to the id of that page, which is in the site and not shown: it leads nowhere until it is. */
  readonly away: ReadonlyMap<string, string>
}

/** The hashes of the blobs that a manifest needs, beside its own. */
export function blobsOf({ files }: Pick<Manifest, 'files'>): ReadonlySet<string> {
  return new Set(Array.from(files.values(), ({ blob }) => blob))
}
