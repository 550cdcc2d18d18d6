import type { BrowserContext } from 'playwright-core'

/** What a page did while a module ran in it. */
export interface Visit<T> {
  /** What the module's `run` resolved to. */
  readonly result: T
  /** Addresses of all requests, those of service workers too. */
  readonly addresses: readonly string[]
  /** Errors of the console, and those that nobody caught. */
  readonly errors: readonly string[]
}

/** Opens the page and runs a module in it. Errors: what `run` throws. */
export async function visit<T>(browser: BrowserContext, origin: string, name: string): Promise<Visit<T>> {
  const page = await browser.newPage()
  const addresses: string[] = []
  const errors: string[] = []
  const note = (request: { url(): string }) => addresses.push(request.url())
  browser.on('request', note)
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(origin)
  // As text: here the test runner would make `import` its own.
  const result: T = await page.evaluate(`import('/${name}.js').then(({ run }) => run())`)
  await page.close()
  browser.off('request', note)
  return { result, addresses, errors }
}
