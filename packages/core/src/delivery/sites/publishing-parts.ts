import type { Scope } from '../../engine/scope.ts'
import { type Manifest } from './publication/manifest.ts'
import { type SiteMap } from './site-map.ts'

/** What a publication is made of. */
export interface Publishing {
  readonly scope: Scope
  readonly map: SiteMap
  /** What is served now. */
  readonly before: Manifest | null
  /** The newest that is kept, where another is served: after a rollback it knows more of where pages were. */
  readonly newest: Manifest | null
  /** What changed since what is served was made. */
  readonly changed: ReadonlySet<string> | 'all'
  /** Up to where in the journal that was looked for. */
  readonly since: string
  /** Where the site will be found. */
  readonly baseUrl: string
}
