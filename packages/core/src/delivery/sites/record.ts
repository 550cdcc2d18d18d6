import type { StoredBlob } from '../../ports/index.ts'

/** What is served of a site that was published. The id is the site's. */
export interface PublishedSiteRecord {
  readonly id: string
  readonly repositoryId: string
  /** Under which it is served. */
  readonly slug: string
  /** The active publication. */
  readonly publicationId: string
  /** Its manifest: which file stands at which address. */
  readonly manifest: StoredBlob
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    publishedSite: PublishedSiteRecord
  }
}
