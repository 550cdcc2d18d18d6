import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

/** The browser of this machine. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
)

/** The suffix of a test name when there is none. */
export const skipped = browserPath ? '' : ' (skipped: no Chromium is installed)'

/** Starts it without the sandbox, which root cannot use. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-gpu'] })
}

/** Records the errors of a page and the hosts that it contacts. */
export function watch(page: Page): { readonly errors: string[]; readonly hosts: Set<string> } {
  const errors: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  page.on('pageerror', (error) => void errors.push(error.message))
  page.on(
    'request',
    (request) => void (request.url().startsWith('http') && hosts.add(new URL(request.url()).host)),
  )
  return { errors, hosts }
}
