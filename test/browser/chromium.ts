import { existsSync } from 'node:fs'
import { type BrowserContext, chromium } from 'playwright-core'

// Where Debian and its kin put it; nothing is downloaded.
const executablePath = '/usr/bin/chromium'

/** Whether there is no browser here; said once. */
export const isMissing = !existsSync(executablePath)
if (isMissing) console.log(`skipped: no browser at ${executablePath} (apt-get install chromium)`)

/** Without a sandbox, as root in a container needs; without what a browser tells others on its own. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Starts a browser with a profile of its own. */
export function startBrowser(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, { executablePath, args })
}
