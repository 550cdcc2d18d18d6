import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'

/** For people to look at. */
const shots = join(import.meta.dirname, '../../node_modules/.cache/console')

/** The pictures of the guide, which UPDATE_PICTURES=1 makes anew. */
const guide = join(import.meta.dirname, '../../docs/guide/pictures')

/** What people do on phones: the guide shows these views as narrow, too. */
const onPhones: readonly string[] = ['review', 'changes', 'content', 'editor']

const looks = [
  { look: 'light', width: 1280, colorScheme: 'light', language: 'en' },
  { look: 'dark', width: 1280, colorScheme: 'dark', language: 'de' },
  { look: 'phone', width: 390, colorScheme: 'light', language: 'en' },
] as const

/** Looks at views, light and dark, wide and narrow, in both languages. Errors: one violates WCAG 2.2 AA, or is too wide. */
export async function lookAt(
  page: Page,
  views: Readonly<Record<string, string>>,
  at: (path: string) => string,
): Promise<void> {
  await mkdir(shots, { recursive: true })
  for (const { look, width, colorScheme, language } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(`localStorage.setItem('quire.console.language', '${language}')`)
    for (const [name, path] of Object.entries(views)) {
      await page.goto(at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(
        await page.evaluate('document.documentElement.scrollWidth'),
        `${name} ${look}`,
      ).toBeLessThanOrEqual(width)
      expect(await violations(page), `${name} ${look}`).toEqual([])
      const shot = await page.screenshot({ path: join(shots, `${name}-${look}.png`) })
      if (process.env['UPDATE_PICTURES'] === '1' && (look !== 'phone' || onPhones.includes(name)))
        await sharp(shot)
          .png({ palette: true })
          .toFile(join(guide, `console-${name}-${look}.png`))
    }
  }
}

/** What axe-core finds, with every rule that it has for WCAG 2.2 AA. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run({ exclude: [['iframe']] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
