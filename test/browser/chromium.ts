import { existsSync } from 'node:fs'
import { type BrowserContext, chromium } from 'playwright-core'

// The path in Debian and its derivatives. Nothing is downloaded.
const executablePath = '/usr/bin/chromium'

/** Whether there is no browser here. Logged once. */
export const isMissing = !existsSync(executablePath)
if (isMissing) console.log(`skipped: no browser at ${executablePath} (apt-get install chromium)`)

/**
 * Without a sandbox, which root in a container requires, and without the browser's own network
 * requests.
 */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Paints at once, instead of 60 times a second. */
export const paintingAtOnce = ['--disable-frame-rate-limit', '--disable-gpu-vsync']

/** Starts a browser with its own profile. */
export function startBrowser(profile: string, more: readonly string[] = []): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, { executablePath, args: [...args, ...more] })
}
