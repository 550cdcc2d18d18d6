/** Says which member of an item an element shows: spread it into the element. */
export interface Editable {
  readonly 'data-quire': string
}

/**
 * Marks an element that shows a member of an item, so that a click on it opens that member in the
 * console. `path` is in dot notation: `name`, `fields.title`, `fields.blocks.2.words`.
 * @example
 * <h1 {...editable(article, 'fields.title')}>{article.fields.title}</h1>
 */
export function editable({ id }: { readonly id: string }, path: string): Editable {
  return { 'data-quire': `${id}:${path}` }
}

/** Options of `clickToEdit`. */
export interface ClickToEditOptions {
  /** The address of the service whose console may show the page in a frame. */
  readonly baseUrl: string
  /** Called when the editor has saved: read the content again. Absent: the console loads the page anew. */
  readonly onSave?: () => void
}

/** What a page in a frame of the console tells it. */
export type PreviewReport =
  | { readonly quire: 'ready'; readonly refreshes: boolean }
  | { readonly quire: 'edit'; readonly id: string; readonly path: string }

/** What the console tells a page in its frame. */
export interface PreviewNotice {
  readonly quire: 'hello' | 'saved'
}

/**
 * Opens the member of an item in the console when somebody clicks an element with `data-quire`, while
 * the page is in a frame of the console of this service; elsewhere it does nothing. A click with Ctrl,
 * Alt, Shift or Meta is left to the page. Returns a function that ends it.
 */
export function clickToEdit({ baseUrl, onSave }: ClickToEditOptions): () => void {
  const { parent, document } = page
  if (parent === globalThis) return () => undefined
  const { origin } = new URL(baseUrl)
  const ended = new AbortController()
  const { signal } = ended
  // A message to another origin is not delivered.
  const report = (message: PreviewReport) => parent.postMessage(message, origin)
  let isGreeted = false
  const greet = () => {
    if (isGreeted) return
    isGreeted = true
    document.addEventListener('click', onClick, { capture: true, signal })
    const sheet = new page.CSSStyleSheet()
    sheet.replaceSync('[data-quire]:hover { outline: 2px solid; outline-offset: 2px; cursor: pointer; }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    signal.addEventListener('abort', () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    })
  }
  const onClick = (event: ClickEvent) => {
    const member =
      event.ctrlKey || event.altKey || event.shiftKey || event.metaKey ? null : memberAt(event.target)
    if (!member) return
    event.preventDefault()
    event.stopPropagation()
    report({ quire: 'edit', ...member })
  }
  page.addEventListener(
    'message',
    (event) => {
      if (event.source !== parent || event.origin !== origin) return
      const { quire } = (event.data ?? {}) as Partial<PreviewNotice>
      if (quire === 'hello') greet()
      if (quire === 'saved') onSave?.()
    },
    { signal },
  )
  report({ quire: 'ready', refreshes: onSave !== undefined })
  return () => {
    ended.abort()
    report({ quire: 'ready', refreshes: false })
  }
}

/** What the nearest marked element around a target shows; null: there is none. */
function memberAt(target: PageElement | null): { readonly id: string; readonly path: string } | null {
  const named = target?.closest?.('[data-quire]')?.getAttribute('data-quire') ?? ''
  const [, id, path] = /^([\w-]+):(.+)$/.exec(named) ?? []
  return id === undefined || path === undefined ? null : { id, path }
}

// The parts of a page that are used here. This package is typed without the DOM, because it also runs
// where there is none.

interface ClickEvent {
  readonly target: PageElement | null
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly metaKey: boolean
  preventDefault(): void
  stopPropagation(): void
}

interface PageElement {
  readonly closest?: (selector: string) => PageElement | null
  getAttribute(name: string): string | null
}

interface PageMessage {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
}

interface Heard {
  readonly capture?: boolean
  readonly signal: AbortSignal
}

interface Page {
  readonly parent: { postMessage(message: PreviewReport, origin: string): void }
  readonly document: {
    adoptedStyleSheets: readonly object[]
    addEventListener(name: 'click', listener: (event: ClickEvent) => void, options: Heard): void
  }
  readonly CSSStyleSheet: new () => { replaceSync(text: string): void }
  addEventListener(name: 'message', listener: (event: PageMessage) => void, options: Heard): void
}

const page = globalThis as unknown as Page
