/**
 * The difference between two rendered pages, as complete HTML documents without scripts. Equal
 * parts are not marked.
 */
export interface HighlightedPage {
  /** The new page with additions as `<ins>` and deletions as `<del>` at their old position. */
  readonly inline: string
  /** The old page with deletions marked. */
  readonly before: string
  /** The new page with additions marked. */
  readonly after: string
  /** The number of differences as people see them; 0 for equal pages. */
  readonly changes: number
}

/**
 * Compares rendered pages. It limits its own use of time, memory and the length of its queue. It
 * fetches nothing and executes nothing from the pages.
 */
export interface PageDiffs {
  /**
   * The difference between two HTML documents, computed outside the caller's thread where possible.
   * An empty string stands for a page that does not exist. Any text is accepted.
   * Concurrent calls: one runs at a time, others wait. Cost: about 0.1 s for pages of 200 KB, which
   * stay in memory meanwhile. Errors: PageDiffRefused.
   */
  state(before: string, after: string): Promise<HighlightedPage>
  /** Stops comparing. Running and later comparisons fail with `closed`. */
  close(): Promise<void>
}

/**
 * Why no difference was computed. `slow`, `large`: over the limit of time or memory; `busy`: too
 * many are waiting, try again; `closed`: `close` was called; `broken`: the comparison crashed.
 */
export class PageDiffRefused extends Error {
  override readonly name = 'PageDiffRefused'
  readonly kind: 'slow' | 'large' | 'busy' | 'closed' | 'broken'
  constructor(kind: PageDiffRefused['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
