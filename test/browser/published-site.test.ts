import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { administratorEnv, administratorToken, callApi } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { isMissing, startBrowser } from './chromium.ts'
import { crawl } from './crawl.ts'
import { serveZip } from './static-host.ts'

/** The folder for screenshots, for manual inspection. */
const shots = join(import.meta.dirname, '../../node_modules/.cache/published-site')

// A hundred pages in a browser take 20 s on an idle machine, and four times as long on a busy one.
vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(isMissing)('the demo in a browser', () => {
  let folder = ''
  let server: ServerProcess
  let browser: BrowserContext
  let site = ''
  let docs = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-site-'))
    await mkdir(shots, { recursive: true })
    const env = { ...administratorEnv, QUIRE_DEMO: '1' }
    server = await startServer({ args: serveArgs(join(folder, 'data')), env })
    browser = await startBrowser(join(folder, 'profile'))
    site = `${server.url}/sites/magazine/`
    docs = `${server.url}/sites/docs/`
    await vi.waitUntil(() => printed(server, 'Review') !== '', { timeout: 160_000 })
  }, 180_000)

  afterAll(async () => {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })

  const shot = (page: Page, name: string) => page.screenshot({ path: join(shots, `${name}.png`) })

  it('shows the site at the printed address, without broken links or requests to other hosts', async () => {
    expect([printed(server, 'Site'), printed(server, 'Documentation')]).toEqual([site, docs])
    const { pages, files, ...met } = await crawl(browser, site)
    expect(met).toEqual({ broken: [], errors: [], origins: [server.url] })
    expect(pages).toEqual(
      expect.arrayContaining(['', 'paper/ink-that-remembers/', 'contributors/jonah-pell/']),
    )
    expect(pages.length).toBe(54)
    expect(files.length).toBeGreaterThan(20)
  })

  it('shows it on a desktop, on a phone and in dark mode, never wider than the screen', async () => {
    const page = await browser.newPage()
    const looks = [
      { name: 'home', path: '', width: 1280, height: 900, colorScheme: 'light' },
      { name: 'article', path: 'paper/ink-that-remembers/', width: 1280, height: 1600, colorScheme: 'light' },
      { name: 'home-dark', path: '', width: 1280, height: 900, colorScheme: 'dark' },
      { name: 'home-phone', path: '', width: 390, height: 844, colorScheme: 'light' },
      { name: 'article-phone', path: 'type/see-also/', width: 390, height: 1500, colorScheme: 'dark' },
      { name: 'section', path: 'libraries/', width: 1280, height: 900, colorScheme: 'light' },
      { name: 'author', path: 'contributors/ines-okafor/', width: 1280, height: 900, colorScheme: 'light' },
      { name: 'about', path: 'about/', width: 1280, height: 900, colorScheme: 'light' },
    ] as const
    for (const { name, path, width, height, colorScheme } of looks) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${site}${path}`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await shot(page, name)
    }
    await page.close()
  })

  it('shows the documentation as a site, whose links lead to its pages and headings', async () => {
    const { pages, broken, ...met } = await crawl(browser, docs)
    // Links to other hosts are meant.
    expect(broken.filter((one) => !one.endsWith('leads away'))).toEqual([])
    expect(met).toMatchObject({ errors: [], origins: [server.url] })
    expect(pages).toEqual(expect.arrayContaining(['', 'glossary/', 'guide/cli/', 'reference/shapes/']))
    const page = await browser.newPage()
    await page.goto(`${docs}guide/deploying/`)
    await page.getByRole('link', { name: 'configuration', exact: true }).first().click()
    await page.waitForURL(`${docs}guide/configuration/#behind-a-proxy`)
    expect(await page.locator('#behind-a-proxy').innerText()).toBe('Behind a proxy')
    await page.close()
  })

  it('finds pages of the documentation by words in their texts', async () => {
    const page = await browser.newPage()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${docs}guide/cli/`)
    await page.getByRole('searchbox').fill('pgbouncer')
    const result = page.locator('#found a').filter({ hasText: 'More than one server' })
    await result.waitFor()
    await shot(page, 'docs')
    await result.click()
    await page.waitForURL(`${docs}guide/scaling/`)
    expect(await page.locator('h1').innerText()).toBe('More than one server')
    await page.close()
  })

  it('signs the reviewer in with a link, and shows the changes of the package', async () => {
    const page = await browser.newPage()
    await page.setViewportSize({ width: 1400, height: 1000 })
    const { url } = await callApi<{ url: string }>(
      { url: server.url, token: await administratorToken(server.url) },
      'POST',
      { path: '/api/security/users/reviewer@deckle.example/sign-in-link' },
    )
    await page.goto(url, { waitUntil: 'commit' })
    await page.goto(await newDiff(page, server.url))
    expect(page.url()).toMatch(/\/page-diffs\/[\w-]+$/)
    expect(await page.locator('nav li').allInnerTexts()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Deckle .*Changed/),
        expect.stringMatching(/^See also .*Moved/),
        expect.stringMatching(/^What the frost wrote .*New page/),
      ]),
    )
    await shot(page, 'diff')
    const ink = page.locator('section', { has: page.getByRole('heading', { name: 'Ink that remembers' }) })
    await ink.scrollIntoViewIfNeeded()
    const inline = ink.frameLocator('.inline iframe')
    await inline.locator('ins').first().waitFor()
    await inline.locator('del').first().waitFor()
    await inline.locator('blockquote.quire-deleted').waitFor()
    await inline.locator('del').first().scrollIntoViewIfNeeded()
    await shot(page, 'diff-in-place')
    await ink.getByText('Side by side').click()
    const gone = ink.frameLocator('iframe[title$=", before"]').locator('del').first()
    const added = ink.frameLocator('iframe[title$=", after"]').locator('ins').last()
    for (const state of [gone, added]) {
      await state.waitFor()
      await state.scrollIntoViewIfNeeded()
    }
    expect(await ink.locator('.inline').isVisible()).toBe(false)
    await shot(page, 'diff-side-by-side')
    await page.close()
  })

  it('shows the GraphQL explorer of the magazine to signed-in users', async () => {
    const page = await browser.newPage()
    await page.setViewportSize({ width: 1400, height: 900 })
    const errors: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    const query = '{ articles(sort: [name_ASC], limit: 3) { items { name author { name } } } }'
    await page.goto(`${server.url}/api-docs/graphql/magazine?query=${encodeURIComponent(query)}`)
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const book = page.locator('.graphiql-doc-explorer')
    await book.getByText('Query', { exact: true }).click()
    await book.getByText('articles', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Execute query' }).click()
    await page.locator('.graphiql-response').getByText('"items"').waitFor()
    await shot(page, 'graph')
    expect(errors).toEqual([])
    await page.close()
  })

  it('does not let pages of the site act with the session of their reader', async () => {
    const page = await browser.newPage()
    const cookies: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/user/me'))
        void request.allHeaders().then((headers) => cookies.push(headers['cookie']))
    })
    await page.goto(`${server.url}/api/user/me`)
    expect(await page.content()).toContain('reviewer@deckle.example')
    await page.goto(site)
    const tried = await page.evaluate(`Promise.all([
      Promise.resolve(self.origin),
      fetch('/api/user/me', { credentials: 'include' }).then((answer) => answer.text(), () => 'refused'),
      Promise.resolve().then(() => document.cookie).catch((error) => error.name),
      Promise.resolve().then(() => localStorage.length).catch((error) => error.name),
    ])`)
    expect(tried).toEqual(['null', 'refused', 'SecurityError', 'SecurityError'])
    // The headers of a request are reported after the request itself.
    await expect.poll(() => cookies).toEqual([expect.stringContaining('token='), undefined])
    await page.close()
  })

  it('exports it as files that a static host can serve below any path', async () => {
    const api = { url: server.url, token: await administratorToken(server.url) }
    const list = (path: string) =>
      callApi<{ items: { id: string }[] }>(api, 'GET', { path: `/api/sites/magazine${path}` })
    const siteId = (await list('')).items[0]?.id ?? ''
    const publication = (await list(`/${siteId}/publications`)).items[0]?.id ?? ''
    const zip = await fetch(`${server.url}/api/sites/magazine/${siteId}/publications/${publication}/zip`, {
      headers: { authorization: `Bearer ${api.token}` },
    })
    const host = await serveZip(await zip.arrayBuffer(), '/somewhere/deep/')
    try {
      const { pages, files, ...met } = await crawl(browser, host.url)
      expect(met).toEqual({ broken: [], errors: [], origins: [new URL(host.url).origin] })
      expect([pages.length, files.length]).toEqual([54, expect.any(Number)])
      expect(files.length).toBeGreaterThan(20)
    } finally {
      await host.close()
    }
  })
})

/** The text that the server printed after a label; empty if it has not printed it yet. */
function printed({ lines }: ServerProcess, label: string): string {
  const line = lines.find((text) => text.startsWith(`  ${label} `))
  return line?.slice(label.length + 2).trim() ?? ''
}

/** Starts a new page diff from a page of the service, with the user's session. Returns its URL. */
async function newDiff(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/api-docs`)
  return page.evaluate<string>(
    `fetch('/api/content/management/packages/magazine/winter-issue/page-diff', { method: 'POST' })
      .then((answer) => answer.json()).then(({ url }) => url)`,
  )
}
