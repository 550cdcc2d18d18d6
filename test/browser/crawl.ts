import type { BrowserContext, Page } from 'playwright-core'

/** What a browser met on its way through a site. */
export interface Crawl {
  /** Paths of the pages below the start, with a slash at the end; the start is empty. */
  readonly pages: readonly string[]
  /** Paths of the pictures and other files that pages show. */
  readonly files: readonly string[]
  /** Links and pictures that do not answer 200, as `<page>: <address> <status>`. */
  readonly broken: readonly string[]
  /** What the console called errors. */
  readonly errors: readonly string[]
  /** Origins that anything was asked of. */
  readonly origins: readonly string[]
}

interface Crawled {
  readonly links: readonly string[]
  readonly files: readonly string[]
}

/** Opens every page that links lead to from the start, as long as they stay below it, and asks for whatever else they link to. */
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

/** Notes what a page asks for and what it complains of. */
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
  // As text: here the test runner would make names of the page its own.
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
