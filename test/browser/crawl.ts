import type { BrowserContext, Page } from 'playwright-core'

/** The result of crawling a site in a browser. */
export interface Crawl {
  /** Paths of the pages relative to the start, with a trailing slash. The start itself is empty. */
  readonly pages: readonly string[]
  /** Paths of the pictures and other files on the pages. */
  readonly files: readonly string[]
  /** Links and pictures whose status is not 200, as `<page>: <address> <status>`. */
  readonly broken: readonly string[]
  /** Console messages of level error. */
  readonly errors: readonly string[]
  /** Origins that received requests. */
  readonly origins: readonly string[]
}

interface Crawled {
  readonly links: readonly string[]
  readonly files: readonly string[]
}

/**
 * Visits every page below the start that is reachable by links, and requests all other link
 * targets.
 */
export async function crawl(browser: BrowserContext, start: string): Promise<Crawl> {
  const page = await browser.newPage()
  const watched = watch(page)
  const waiting = [start]
  const known = new Set(waiting)
  const files = new Set<string>()
  const broken: string[] = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const { status, found } = await open(page, address)
    if (status !== 200) broken.push(`${address} ${status}`)
    for (const link of found.links)
      if (link.startsWith(start) && !known.has(link)) {
        known.add(link)
        waiting.push(link)
      } else if (!link.startsWith(start)) broken.push(`${address}: ${link} leads away`)
    for (const file of found.files) files.add(file)
  }
  await page.close()
  const below = (addresses: Iterable<string>) =>
    [...addresses].map((address) => address.slice(start.length)).toSorted()
  return {
    ...watched(),
    broken: [...broken, ...(await refused(files))],
    pages: below(known),
    files: below(files),
  }
}

/** Records a page's requests and errors. */
function watch(page: Page): () => Pick<Crawl, 'errors' | 'origins'> {
  const errors: string[] = []
  const origins = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return () => ({ errors, origins: [...origins] })
}

async function open(page: Page, address: string): Promise<{ status: number; found: Crawled }> {
  const answer = await page.goto(address)
  // As text, because the test runner would otherwise rewrite names in the function.
  const found: Crawled = await page.evaluate(`({
    links: [...document.querySelectorAll('a[href]')].map((a) => a.href.split('#')[0]),
    files: [...document.querySelectorAll('img[src], link[rel=stylesheet]')].map((one) => one.src ?? one.href),
  })`)
  return { status: answer?.status() ?? 0, found }
}

async function refused(files: ReadonlySet<string>): Promise<string[]> {
  const asked = [...files].map(async (file) => {
    const { status, headers } = await fetch(file)
    const isPicture = headers.get('content-type')?.startsWith('image/') === true
    return status === 200 && isPicture ? [] : [`${file} ${status}`]
  })
  return (await Promise.all(asked)).flat()
}
