import type { Scope } from '../../engine/scope.ts'
import { type Manifest } from './publication/manifest.ts'
import { type SiteMap } from './site-map.ts'

/** What a publication is made of. */
export interface PublicationParts {
  readonly scope: Scope
  /** The site in each of its locales, the one without a prefix first. */
  readonly maps: readonly SiteMap[]
  /** The manifest of the active publication; null when there is none. */
  readonly before: Manifest | null
  /**
   * The newest manifest if another is active. After a rollback, it knows more about where pages
   * were.
   */
  readonly newest: Manifest | null
  /** What has changed since the active publication: ids and `tree`. */
  readonly changed: ReadonlySet<string> | 'all'
  /** The position in the journal up to which `changed` is complete. */
  readonly since: string
  /** The site's absolute base URL. */
  readonly baseUrl: string
}
