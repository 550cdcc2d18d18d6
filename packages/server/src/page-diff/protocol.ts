import type { HighlightedPage, PageDiffRefused } from '@quire/core/ports'

/** A request to the thread: compare two pages. */
export interface Request {
  readonly before: string
  readonly after: string
}

/** The answers of the thread, one for each request, in order. */
export type Answer = { readonly highlighted: HighlightedPage } | Failure

/** Why the pages could not be compared. */
export interface Failure {
  readonly kind: PageDiffRefused['kind']
  readonly message: string
}
