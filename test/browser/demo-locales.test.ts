import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startDemo, type DemoService } from '../clients/demo.ts'
import { callApi } from '../server/api-access.ts'
import { isMissing, startBrowser } from './chromium.ts'

/** The folder for screenshots, for manual inspection. */
const shots = join(import.meta.dirname, '../../node_modules/.cache/published-site')

// Long enough for a browser and a server on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

/** What a reader sees of an article in each language. */
const articles = {
  English: { lang: 'en', dir: 'ltr', heading: 'Ink that remembers', path: 'paper/ink-that-remembers/' },
  Deutsch: {
    lang: 'de',
    dir: 'ltr',
    heading: 'Tinte, die sich erinnert',
    path: 'de/papier/tinte-die-sich-erinnert/',
  },
  العربية: { lang: 'ar', dir: 'rtl', heading: 'حبر لا ينسى', path: 'ar/ورق/حبر-لا-ينسى/' },
} as const

describe.skipIf(isMissing)('the demo in three languages', () => {
  let folder = ''
  let demo: DemoService
  let browser: BrowserContext
  let site = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-locales-'))
    await mkdir(shots, { recursive: true })
    demo = await startDemo()
    browser = await startBrowser(join(folder, 'profile'))
    site = `${demo.url}/sites/magazine/`
  }, 180_000)

  afterAll(async () => {
    await browser.close()
    await demo.stop()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })

  const open = async (path: string) => {
    const page = await browser.newPage()
    const answer = await page.goto(`${site}${path}`)
    return { page, status: answer?.status() }
  }

  it('leads with the switch from one to the next, each in its direction', async () => {
    const { page } = await open(articles.English.path)
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(await lookOf(page)).toEqual(looked('English'))
    for (const name of ['Deutsch', 'العربية', 'English', 'العربية', 'Deutsch', 'English'] as const) {
      await page.locator('.languages').getByRole('link', { name, exact: true }).click()
      await page.locator(`html[lang=${articles[name].lang}]`).waitFor()
      expect(await lookOf(page)).toEqual(looked(name))
      expect(decodeURI(page.url())).toBe(`${site}${articles[name].path}`)
    }
    await page.close()
  })

  it('links each page to the same one in the other languages', async () => {
    for (const { path } of Object.values(articles)) {
      const { page } = await open(path)
      const links: [string, string][] = await page.evaluate(
        `[...document.querySelectorAll('link[hreflang]')].map((link) => [link.hreflang, link.href])`,
      )
      expect(links.map(([code, href]) => [code, decodeURI(href)])).toEqual(
        Object.values(articles).map((article) => [article.lang, `${site}${article.path}`]),
      )
      for (const [code, href] of links) {
        const answer = await fetch(href)
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`lang="${code}"`)])
      }
      await page.close()
    }
  })

  it('shows only what is public in a language, and nothing empty', async () => {
    const { page } = await open('de/')
    const texts = (selector: string) => page.locator(selector).allInnerTexts()
    expect(await texts('.sections a')).toEqual([
      'Papier und Tinte',
      'Bibliotheken',
      'Mitwirkende',
      'Über uns',
    ])
    expect(await texts('.shelf h2')).toEqual(['Papier und Tinte', 'Bibliotheken'])
    expect(await texts('.card h3')).toEqual([
      'Der Büttenrand',
      'Tinte, die sich erinnert',
      'Eine Bibliothek mit einem Schlüssel',
    ])
    // A summary that nobody has translated is in English, and says so.
    expect(await texts('.card p[lang=en]')).toEqual([expect.stringMatching(/^Iron gall ink/)])
    await page.close()
    const { page: english } = await open('type/see-also/')
    expect(await english.locator('link[hreflang]').count()).toBe(0)
    await english.locator('.languages').getByRole('link', { name: 'Deutsch' }).click()
    await english.waitForURL(`${site}de/`)
    // The section is there, without articles.
    await english.goto(`${site}de/schrift/`)
    await english.getByRole('link', { name: 'Auf Englisch lesen' }).click()
    await english.waitForURL(`${site}type/`)
    await english.close()
  })

  it('finds words of three scripts, each in its language alone', async () => {
    const { page } = await open('')
    const search = (text: string, locale: string) => {
      const query = new URLSearchParams({ text, locale, type: 'article', select: 'slug' })
      return page.evaluate<string[]>(
        `fetch('/api/published/items/magazine?${String(query)}')
          .then((answer) => answer.json()).then(({ items }) => items.map(({ slug }) => slug))`,
      )
    }
    for (const [text, language, slug] of [
      ['scribe', 'en', 'ink-that-remembers'],
      ['Gallapfel', 'de', 'ink-that-remembers'],
      ['Büttenrand', 'de', 'the-deckle-edge'],
      ['buttenrand', 'de', 'the-deckle-edge'],
      ['العفص', 'ar', 'ink-that-remembers'],
      ['مفتاح', 'ar', 'a-library-with-one-key'],
    ] as const)
      for (const locale of ['en', 'de', 'ar'])
        expect([text, locale, await search(text, locale)]).toEqual([
          text,
          locale,
          locale === language ? [slug] : [],
        ])
    await page.close()
  })

  it('looks right on a desktop and on a phone, never wider than the screen', async () => {
    const { page } = await open('')
    for (const width of [1280, 390])
      for (const path of ['de/', 'ar/', articles.العربية.path, 'ar/مساهمون/']) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${site}${path}`)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        await page.screenshot({ path: join(shots, `${path.replaceAll('/', '-')}${width}.png`) })
      }
    await page.close()
  })

  it('has one translation that is outdated, and one that is missing, of what is public', async () => {
    const states = async (locale: string) => {
      const path = `/api/translations/magazine?locale=${locale}&state=outdated,missing`
      const { items } = await callApi<{ items: Translated[] }>(demo, 'GET', { path })
      const isPublic = async ({ id }: Translated) =>
        (await fetch(`${demo.url}/api/published/items/magazine/${id}?locale=${locale}`)).ok
      const visible: string[] = []
      for (const item of items)
        if (await isPublic(item))
          visible.push(...item.translations.map(({ path: at, state }) => `${item.slug} ${at} ${state}`))
      return visible.toSorted()
    }
    expect(await states('de')).toEqual([
      'ink-that-remembers fields.summary missing',
      'the-deckle-edge fields.body outdated',
    ])
    expect(await states('ar')).toEqual([])
  })
})

/** An item with what is to be done for it in a locale. */
interface Translated {
  readonly id: string
  readonly slug: string
  readonly translations: readonly { readonly path: string; readonly state: string }[]
}

/** What the page says of its language, and where its first words are. */
function lookOf(page: Page): Promise<object> {
  return page.evaluate<object>(`({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    direction: getComputedStyle(document.querySelector('main')).direction,
    heading: document.querySelector('h1').textContent,
    isAtStart: document.querySelector('.mast .name').getBoundingClientRect().left < innerWidth / 2,
    current: document.querySelector('.languages [aria-current]').textContent.trim(),
  })`)
}

function looked(name: keyof typeof articles): object {
  const { lang, dir, heading } = articles[name]
  return { lang, dir, direction: dir, heading, isAtStart: dir === 'ltr', current: name }
}
