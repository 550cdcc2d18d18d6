import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMissing, startBrowser } from '../../../test/browser/chromium.ts'
import { hostPage, type PageHost } from './host.ts'
import { serveMagazine, type MagazineService } from './service.ts'

/**
 * What the page has made of its picture: the rendition that it loaded, and the width of each picture
 * in `srcset` beside the promised one. As text, because it runs in the page.
 */
const readPicture = `(async () => {
  const image = document.querySelector('img')
  await image.decode()
  const widths = image.srcset.split(', ').map(async (entry) => {
    const [url, promised] = entry.split(' ')
    const { width } = await createImageBitmap(await (await fetch(url)).blob())
    return [width + 'w', promised]
  })
  return {
    rendition: image.currentSrc.split('/').at(-1),
    position: getComputedStyle(image).objectPosition,
    widths: await Promise.all(widths),
  }
})()`

describe.skipIf(isMissing)('a page of another origin', () => {
  let folder = ''
  let host: PageHost
  let service: MagazineService
  let browser: BrowserContext
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-react-profile-'))
    host = await hostPage()
    service = await serveMagazine(host.origin)
    await host.build(service.baseUrl)
    browser = await startBrowser(folder)
    page = await browser.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(host.origin)
    await page.getByLabel('Token').fill(service.token)
    await page.getByRole('button', { name: 'Open' }).click()
  }, 60_000)

  afterAll(async () => {
    await browser.close()
    await host.close()
    await service.close()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })

  const articles = () => page.getByRole('listitem')
  const open = (name: string) => page.getByRole('button', { name }).click()
  const heading = () => page.getByRole('heading')
  const at = { configId: 'magazine' }

  it('reads the list further as its reader scrolls', async () => {
    await page.getByText('25 articles').waitFor()
    await articles().nth(9).waitFor()
    expect(await articles().count()).toBe(10)
    for (const last of [9, 19]) {
      await articles().nth(last).scrollIntoViewIfNeeded()
      await page.mouse.wheel(0, 2000)
      await articles()
        .nth(last + 5)
        .waitFor()
    }
    await page.getByText('The end.').waitFor()
    expect(await articles().count()).toBe(25)
  })

  it('shows an article with its picture, in the size that it needs and around its focal point', async () => {
    await open('Article 01')
    await page.getByText('About 1', { exact: true }).waitFor()
    await page.getByAltText('Oak galls').scrollIntoViewIfNeeded()
    const loaded = await page.evaluate(readPicture)
    expect(loaded).toEqual({
      rendition: 'thumbnail',
      position: '20% 40%',
      widths: ['320w', '640w', '1280w', '1600w'].map((width) => [width, width]),
    })
  })

  it('shows what others change, in the list and in the article', async () => {
    const { id } = await service.api.items.getBySlug({ ...at, slug: 'article-01' })
    await service.api.items.update<'article'>({ ...at, id, name: 'Another 01', fields: { title: 'News' } })
    await page.getByRole('button', { name: 'Another 01' }).waitFor()
    await page.getByText('News', { exact: true }).waitFor()
    expect(await heading().textContent()).toBe('Another 01')
  })

  it('saves a change', async () => {
    await page.getByLabel('Name').fill('Ink 01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Ink 01' }).waitFor()
    expect((await service.api.items.getBySlug({ ...at, slug: 'article-01' })).name).toBe('Ink 01')
  })

  it('shows a conflict instead of overwriting what somebody else wrote', async () => {
    await page.getByLabel('Name').fill('Mine')
    const { id } = await service.api.items.getBySlug({ ...at, slug: 'article-01' })
    await service.api.items.update({ ...at, id, name: 'Theirs' })
    await page.getByRole('button', { name: 'Theirs' }).waitFor()
    expect(errors).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Meanwhile somebody else changed it to “Theirs”.').waitFor()
    expect((await service.api.items.get({ ...at, id })).name).toBe('Theirs')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs')
    // The browser logs the answer.
    expect(errors).toEqual([expect.stringContaining('status of 409')])
  })
})
