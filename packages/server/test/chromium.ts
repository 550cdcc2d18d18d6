import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

/** The browser of this machine. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
)

/** What the name of a test says where there is none. */
export const skipped = browserPath ? '' : ' (skipped: no Chromium is installed)'

/** Starts it, without the sandbox that root cannot have. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-gpu'] })
}

/** Notes the errors of a page and the hosts that it asks. */
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
