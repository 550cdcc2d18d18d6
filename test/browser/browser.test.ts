import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundlePages, type Bundle } from './bundle.ts'
import { isMissing, startBrowser } from './chromium.ts'
import type * as anotherOrigin from './pages/another-origin.ts'
import type * as embedded from './pages/embedded.ts'
import type { Edited } from './pages/edit.ts'
import type * as mocked from './pages/mocked.ts'
import { serveMagazine, type Service } from './service.ts'
import { serveSite, type Site } from './site.ts'
import { visit } from './visit.ts'

let folder = ''
let bundle: Bundle

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-browser-'))
  bundle = await bundlePages(join(folder, 'site'))
}, 30_000)

afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }))

describe.skipIf(isMissing)('in a browser', () => {
  let site: Site
  let browser: BrowserContext

  beforeAll(async () => {
    site = await serveSite(bundle.files)
    browser = await startBrowser(join(folder, 'profile'))
  }, 30_000)

  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  it('the engine issues tokens, authenticates and edits', async () => {
    const { result, addresses, errors } = await visit<Outcome<typeof embedded>>(
      browser,
      site.origin,
      'embedded',
    )
    expect(result).toEqual({
      algorithm: 'EdDSA',
      account: expect.stringMatching(/^SVCA_/),
      principal: {
        kind: 'service',
        id: result.account,
        epoch: expect.any(Number),
        expires: expect.any(Number),
      },
      forged: 'unauthorized',
      edited,
    })
    expect(originsOf(addresses)).toEqual([site.origin])
    expect(errors).toEqual([])
  })

  it('the client does the same with fetch and the mock in a service worker', async () => {
    const { result, addresses, errors } = await visit<Outcome<typeof mocked>>(browser, site.origin, 'mocked')
    expect(result).toEqual({
      edited,
      text: 'Gallnuts, öl',
      length: 13,
      allowed: [405, 'POST'],
      refused: 401,
    })
    expect(addresses).toContain(`${site.origin}/quire/api/items/magazine?limit=2&sort=name`)
    expect(site.requests.filter((line) => line.includes('/quire/'))).toEqual([])
    expect(originsOf(addresses)).toEqual([site.origin])
    // The browser logs every error answer. Exactly these were provoked.
    expect(errors).toEqual(
      [409, 400, 404, 405, 401].map((status) => expect.stringContaining(`status of ${status}`)),
    )
  })
})

describe.skipIf(isMissing)('in a page of another origin', () => {
  let site: Site
  let browser: BrowserContext
  const services: Service[] = []

  beforeAll(async () => {
    site = await serveSite(bundle.files)
    browser = await startBrowser(join(folder, 'another-profile'))
    services.push(await serveMagazine([site.origin]), await serveMagazine([]))
  }, 30_000)

  afterAll(async () => {
    await browser.close()
    await site.close()
    for (const service of services) await service.close()
  })

  it('the client works if the service allows the origin, and says what to set if it does not', async () => {
    const [open, closed] = services
    const search = new URLSearchParams({
      token: open?.token ?? '',
      service: open?.baseUrl ?? '',
      closed: closed?.baseUrl ?? '',
      absent: 'http://127.0.0.1:1',
    })
    const { result } = await visit<Outcome<typeof anotherOrigin>>(
      browser,
      `${site.origin}/?${search}`,
      'another-origin',
    )
    expect(result).toEqual({
      changed: 'Nearer',
      stale: [412, 'string'],
      published: 0,
      refused: `unavailable: ${closed?.baseUrl} answers, but not to pages of ${site.origin}: start the service with --cors-origin ${site.origin} (option cors.origins), or check baseUrl.`,
      absent: expect.stringContaining('unavailable: GET /api/items/{configId} got no response'),
    })
    // Only the request that finds out whether anything answers.
    expect(closed?.lists).toHaveLength(1)
  })
})

describe('the bundle', () => {
  // Both packages exclude their Node parts with their own `browser` fields: liquidjs checks whether
  // Buffer exists, and sanitize-html includes postcss for style attributes, which rich text does
  // not have.
  it('contains no Node module except those that two packages can do without', () => {
    expect(bundle.nodeImports).toEqual(['postcss: fs', 'postcss: path', 'postcss: url'])
    expect(bundle.bufferUsers).toEqual(['liquidjs', 'postcss'])
  })
})

type Outcome<Module extends { run(): Promise<unknown> }> = Awaited<ReturnType<Module['run']>>

/** The expected outcome of editing, both in process and over HTTP. */
const edited: Edited = {
  statuses: ['published', 'draft'],
  slugs: ['ink-paper', 'chernila', 'a-room'],
  cards: ['<b>Ink &amp; paper</b>', '<b>Чернила</b>', '<b>A room</b>'],
  publishedBody: '<p>It darkens.</p>',
  unpublished: { count: 2, names: ['A room', 'Чернила'] },
  paged: ['A room', 'Ink & paper', 'Чернила'],
  failures: [
    { code: 'slug_taken', status: 409, paths: [] },
    { code: 'invalid', status: 400, paths: ['fields.shelf'] },
    { code: 'not_found', status: 404, paths: [] },
  ],
}

function originsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => new URL(address).origin))]
}
