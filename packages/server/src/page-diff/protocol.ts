import type { HighlightedPage, PageDiffRefused } from '@quire/core/ports'

/** What the thread is asked: the difference of two pages. */
export interface Request {
  readonly before: string
  readonly after: string
}

/** What the thread answers, one for each request, in order. */
export type Answer = { readonly highlighted: HighlightedPage } | Failure

/** Why there is no difference. */
export interface Failure {
  readonly kind: PageDiffRefused['kind']
  readonly message: string
}
