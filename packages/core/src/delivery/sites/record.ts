import type { StoredBlob } from '../../ports/index.ts'

/** The active publication of a published site. The id is the site's id. */
export interface PublishedSiteRecord {
  readonly id: string
  readonly repositoryId: string
  /** The slug that the site is served at. */
  readonly slug: string
  /** Id of the active publication. */
  readonly publicationId: string
  /** The publication's manifest, which maps addresses to files. */
  readonly manifest: StoredBlob
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    publishedSite: PublishedSiteRecord
  }
}
