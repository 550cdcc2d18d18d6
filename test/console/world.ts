import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import type { BrowserContext, Page } from 'playwright-core'
import { startBrowser } from '../browser/chromium.ts'
import { startDemo } from '../clients/demo.ts'

/** The demo with its console in a browser, and people who work there. */
export interface ConsoleWorld {
  readonly url: string
  /** The API of the administrator. */
  readonly api: Client
  /** Opens a tab in which a person with these keys in the magazine is signed in. */
  readonly as: (keys: readonly string[]) => Promise<Page>
  /** Opens a tab in which nobody is signed in. */
  readonly asNobody: () => Promise<Page>
  /** What the tabs logged as errors, and the addresses of other origins that they requested. */
  readonly faults: readonly string[]
  readonly stop: () => Promise<void>
}

/** All keys that the views need. */
export const everything = [
  'items.read',
  'items.create',
  'items.update',
  'items.publish',
  'packages.view',
  'packages.create',
  'packages.update',
  'packages.delete',
  'packages.comment',
  'packages.diff.view',
  'packages.merge',
  'workflow.start',
  'workflow.act',
] as const

/** Starts the demo and a browser. */
export async function startConsole(): Promise<ConsoleWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-console-'))
  const demo = await startDemo()
  const api = createClient({ baseUrl: demo.url, auth: { token: demo.token } })
  const [site] = (await api.sites.list({ configId: 'magazine' })).items
  const { id: repositoryId } = await api.repositories.get({ id: 'magazine' })
  const browsers: BrowserContext[] = []
  const faults: string[] = []
  let made = 0

  async function asNobody(): Promise<Page> {
    const browser = await startBrowser(join(folder, `profile-${(made += 1)}`))
    browsers.push(browser)
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      // The browser itself reports answers such as 401 and 409, which are part of the API.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== demo.url && protocol !== 'data:' && protocol !== 'blob:')
        faults.push(`request to ${request.url()}`)
    })
    return page
  }

  async function as(keys: readonly string[]): Promise<Page> {
    const page = await asNobody()
    const role = await api.roles.create({
      name: `Role ${made}`,
      permissions: {
        repos: { [repositoryId]: keys as never },
        sites: { [site?.id ?? '']: keys.length > 0 ? ['sites.view'] : [] },
      },
    })
    const id = `person-${made}@deckle.example`
    await api.users.create({ id, name: `Person ${made}`, roles: [role.id] })
    const { url } = await api.users.createSignInLink({ id })
    await page.goto(`${url}&returnTo=%2Fconsole%2F`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  return {
    url: demo.url,
    api,
    as,
    asNobody,
    faults,
    stop: async () => {
      for (const browser of browsers) await browser.close()
      await demo.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A package in which an article has another reading time and name, and which is open. */
export async function changedPackage(
  { api }: Pick<ConsoleWorld, 'api'>,
  packageName: string,
  { name, fields = {} }: { name?: string; fields?: Record<string, unknown> } = {},
): Promise<{ id: string; packageName: string }> {
  const { id } = await api.items.getBySlug({ configId: 'magazine', slug: 'ink-that-remembers' })
  await api.packages.create({ repo: 'magazine', name: packageName, description: `About ${packageName}` })
  await api.items.update({
    configId: 'magazine',
    packageName,
    id,
    fields: { readingMinutes: 9, ...fields },
    ...(name !== undefined && { name }),
  })
  return { id, packageName }
}
