import type { BrowserContext } from 'playwright-core'

/** The result of running a module in a page. */
export interface Visit<T> {
  /** The result of the module's `run`. */
  readonly result: T
  /** URLs of all requests, including those of service workers. */
  readonly addresses: readonly string[]
  /** Console errors and uncaught exceptions. */
  readonly errors: readonly string[]
}

/**
 * Opens the page, at an origin or an address on it, and runs a module in it. Errors: exceptions of
 * `run`.
 */
export async function visit<T>(browser: BrowserContext, url: string, name: string): Promise<Visit<T>> {
  const page = await browser.newPage()
  const addresses: string[] = []
  const errors: string[] = []
  const note = (request: { url(): string }) => addresses.push(request.url())
  browser.on('request', note)
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(url)
  // As text, because the test runner would otherwise rewrite `import`.
  const result: T = await page.evaluate(`import('/${name}.js').then(({ run }) => run())`)
  await page.close()
  browser.off('request', note)
  return { result, addresses, errors }
}
