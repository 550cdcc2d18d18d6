import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client, type RolesCreateInput } from '@quire/client'
import type { BrowserContext, Page } from 'playwright-core'
import { startBrowser } from '../browser/chromium.ts'
import { startDemo } from '../clients/demo.ts'

/** A service with its console in browsers, and people who work there. */
export interface ConsoleWorld {
  readonly url: string
  /** The API of the administrator. */
  readonly api: Client
  /** Opens a browser, with these flags, in which a person with these keys in the magazine is signed in. */
  readonly as: (keys: readonly PermissionKey[], more?: Limited, flags?: readonly string[]) => Promise<Page>
  /** Opens a browser in which nobody is signed in. */
  readonly asNobody: () => Promise<Page>
  /** What the pages logged as errors, and the addresses of other origins that they requested. */
  readonly faults: readonly string[]
  readonly stop: () => Promise<void>
}

/** Keys by what follows the id of the magazine in an entry of rights: `:article`, `@de`. */
type Limited = Readonly<Record<string, readonly PermissionKey[]>>

type PermissionKey = NonNullable<
  NonNullable<NonNullable<RolesCreateInput['permissions']>['repos']>[string]
>[number]

/** All keys that the views need. */
export const everything = [
  'items.read',
  'items.create',
  'items.update',
  'items.publish',
  'items.archive',
  'items.delete',
  'assets.read',
  'assets.download',
  'assets.upload',
  'folders.read',
  'folders.create',
  'folders.update',
  'folders.delete',
  'taxonomies.read',
  'taxonomies.create',
  'taxonomies.update',
  'taxonomies.delete',
  'queries.run',
  'queries.save',
  'admin.types.view',
  'packages.view',
  'packages.create',
  'packages.update',
  'packages.delete',
  'packages.comment',
  'packages.diff.view',
  'packages.merge',
  'workflow.start',
  'workflow.act',
  'sites.view',
  'sites.update',
  'sites.publish',
] as const

/** Starts the demo, which may send webhooks to this machine. `frontEnd`: an origin that may call it. */
export async function startConsole(frontEnd?: string): Promise<ConsoleWorld> {
  const demo = await startDemo({
    QUIRE_EGRESS_ALLOW: '127.0.0.1',
    ...(frontEnd !== undefined && { QUIRE_CORS_ORIGIN: frontEnd }),
  })
  const api = createClient({ baseUrl: demo.url, auth: { token: demo.token } })
  return openConsole({ url: demo.url, api, stop: () => demo.stop() }, frontEnd)
}

/** Opens the console of a service, which `stop` ends. Its pages may request what is of a front end. */
export async function openConsole(
  service: Pick<ConsoleWorld, 'url' | 'api' | 'stop'>,
  frontEnd?: string,
): Promise<ConsoleWorld> {
  const { url, api } = service
  const folder = await mkdtemp(join(tmpdir(), 'quire-console-'))
  const { id: repositoryId } = await api.repositories.get({ id: 'magazine' })
  const [site] = (await api.sites.list({ configId: 'magazine' })).items
  const browsers: BrowserContext[] = []
  const faults: string[] = []
  let made = 0

  const asNobody = () => opened([])

  async function opened(flags: readonly string[]): Promise<Page> {
    const browser = await startBrowser(join(folder, `profile-${(made += 1)}`), flags)
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
      if (origin !== url && origin !== frontEnd && protocol !== 'data:' && protocol !== 'blob:')
        faults.push(`request to ${request.url()}`)
    })
    return page
  }

  async function as(
    keys: readonly PermissionKey[],
    more: Limited = {},
    flags: readonly string[] = [],
  ): Promise<Page> {
    const page = await opened(flags)
    // Keys of sites are held on a site, or everywhere.
    const isOfSites = (key: PermissionKey) => key.startsWith('sites.')
    const ofSites = new Set<PermissionKey>(['sites.view', ...keys.filter(isOfSites)])
    const sites = site && keys.length > 0 ? { [site.id]: [...ofSites] } : {}
    // Types belong to no repository; the webhooks of all are in one list.
    const isGlobal = (key: PermissionKey) => key === 'admin.types.view' || key === 'admin.webhooks.view'
    const inRepository = keys.filter((key) => !isGlobal(key) && !isOfSites(key))
    const limited = Object.fromEntries(
      Object.entries(more).map(([limit, limitedKeys]) => [`${repositoryId}${limit}`, [...limitedKeys]]),
    )
    const role = await api.roles.create({
      name: `Role ${made}`,
      permissions: {
        global: keys.filter(isGlobal),
        repos: { [repositoryId]: inRepository, ...limited },
        sites,
      },
    })
    const id = `person-${made}@deckle.example`
    await api.users.create({ id, name: `Person ${made}`, roles: [role.id] })
    const link = await api.users.createSignInLink({ id })
    await page.goto(`${link.url}&returnTo=%2Fconsole%2F`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  return {
    url,
    api,
    as,
    asNobody,
    faults,
    stop: async () => {
      for (const browser of browsers) await browser.close()
      await service.stop()
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
