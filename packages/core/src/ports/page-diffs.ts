/** The difference of two rendered pages, as whole HTML documents without anything that runs. Where they are equal, nothing is marked. */
export interface HighlightedPage {
  /** The page as it becomes, with what is added as `<ins>` and what goes as `<del>` where it stood. */
  readonly inline: string
  /** The page as it is, with what goes marked. */
  readonly before: string
  /** The page as it becomes, with what is added marked. */
  readonly after: string
  /** Places that differ as people see them; 0 for equal pages. */
  readonly changes: number
}

/** What compares rendered pages. Bounded by itself: time, memory, and how many wait. It fetches nothing and runs nothing of them. */
export interface PageDiffs {
  /**
   * The difference of two HTML documents, off the caller's thread where there is one. An empty text is a page that is not there.
   * Any text is taken. Concurrent calls: one at a time, others wait. Cost: about 0.1 s for pages of 200 KB, which are in memory meanwhile.
   * Errors: PageDiffRefused.
   */
  state(before: string, after: string): Promise<HighlightedPage>
  /** Ends what compares. What is under way and all that comes later is refused as `closed`. */
  close(): Promise<void>
}

/**
 * Why no difference was made. `slow`, `large`: past the limit of time or memory; `busy`: too many wait, try again; `closed`: what compares is
 * closed; `broken`: it broke down.
 */
export class PageDiffRefused extends Error {
  override readonly name = 'PageDiffRefused'
  readonly kind: 'slow' | 'large' | 'busy' | 'closed' | 'broken'
  constructor(kind: PageDiffRefused['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
