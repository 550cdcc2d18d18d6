import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing, paintingAtOnce } from '../browser/chromium.ts'
import { medianOf } from '../secrecy/rank-test.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

describe.skipIf(isMissing)('the console, for somebody at work', () => {
  let world: ConsoleWorld
  let editor: Page

  beforeAll(async () => {
    world = await startConsole()
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(`${world.url}/console/magazine/content${path}`)
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }

  it('shows a keystroke within a frame in an item of 200 blocks, and opens it at once', async () => {
    await world.api.types.create({
      name: 'long-read',
      fields: [
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: {
            variants: [
              {
                name: 'paragraph',
                fields: [
                  { name: 'words', kind: 'text' },
                  { name: 'wide', kind: 'boolean' },
                ],
              },
              {
                name: 'quote',
                fields: [
                  { name: 'words', kind: 'text' },
                  { name: 'by', kind: 'text' },
                ],
              },
            ],
          },
        },
      ],
    })
    const blocks = Array.from({ length: 200 }, (_, at) => ({
      type: at % 2 === 0 ? 'paragraph' : 'quote',
      words: `Block ${at}: ${'some words of a text. '.repeat(10)}`,
    }))
    const { id } = await world.api.items.create({
      repositoryId: configId,
      type: 'long-read',
      name: 'Two hundred blocks',
      fields: { blocks },
    })
    await open(editor, '?sort=-updatedDate', 'Content')
    await editor.getByRole('link', { name: 'Two hundred blocks' }).waitFor()
    const opened: number = await editor.evaluate(`new Promise((done) => {
      const link = [...document.querySelectorAll('tbody th a')].find((one) => one.textContent === 'Two hundred blocks')
      const began = performance.now()
      const look = () => document.querySelectorAll('.entries > li').length === 200
        ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1)
      link.click()
      look()
    })`)
    const wordsOf = (page: Page) =>
      page.getByRole('group', { name: 'blocks 100', exact: true }).getByLabel('words')
    const words = wordsOf(editor)
    // What a keystroke takes in a page that does nothing: most of it is waiting for the next frame.
    const plain = await editor.context().newPage()
    await plain.setContent('<textarea></textarea>')
    const [among200, alone]: [number[], number[]] = [[], []]
    // By turns, because a machine is not always equally fast.
    for (let round = 0; round < 5; round += 1) {
      await editor.bringToFront()
      among200.push(await keystroke95(words))
      await plain.bringToFront()
      alone.push(await keystroke95(plain.locator('textarea')))
    }
    await plain.close()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.getByText('All is saved.').waitFor()
    // Without the wait for a screen of 60 frames a second, which is up to 16.7 ms whatever a page does.
    const writer = await world.as(everything, {}, paintingAtOnce)
    await open(writer, `/${id}`, 'Two hundred blocks')
    const atOnce: number[] = []
    for (let round = 0; round < 5; round += 1) atOnce.push(await keystroke95(wordsOf(writer)))
    await writer.context().close()
    expect((await world.api.items.get({ configId, id })).fields?.['blocks']).toHaveLength(200)
    console.log(
      `an item of 200 blocks: open ${Math.round(opened)} ms (goal: 150), keystroke to paint p95 ${medianOf(atOnce).toFixed(1)} ms (goal: 16), at 60 frames a second ${medianOf(among200).toFixed(1)} (a plain page: ${medianOf(alone).toFixed(1)})`,
    )
    // For slow machines; the goals are those of a fast one.
    expect(opened).toBeLessThan(600)
    expect(medianOf(among200) - medianOf(alone)).toBeLessThan(16)
    expect(medianOf(atOnce)).toBeLessThan(32)
  })

  it('does nothing for long while somebody scrolls a long list', async () => {
    const made = Array.from({ length: 60 }, (_, number) =>
      world.api.items.create({ repositoryId: configId, type: 'article', name: `Scrolled ${number}` }),
    )
    const ids = (await Promise.all(made)).map(({ id }) => id)
    await open(editor, '?sort=-updatedDate', 'Content')
    await editor
      .getByRole('link', { name: /^Scrolled/ })
      .first()
      .waitFor()
    const scroll = () =>
      editor.evaluate<number>(`new Promise((done) => {
      let longest = 0
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
      })
      observer.observe({ type: 'longtask' })
      let left = 120
      const step = () => {
        scrollBy(0, left > 60 ? 60 : -60)
        left -= 1
        if (left > 0) requestAnimationFrame(step)
        else setTimeout(() => done(longest), 100)
      }
      requestAnimationFrame(step)
    })`)
    // Other work on the machine makes some of them longer.
    const longest = Math.min(await scroll(), await scroll(), await scroll())
    console.log(`the longest task while a list scrolls: ${Math.round(longest)} ms (goal: 50)`)
    expect(longest).toBeLessThan(200)
    await world.api.items.bulk({ configId, action: 'delete', ids })
  })
})

/** Types 60 characters and returns in how many ms 95 % of them are painted. */
async function keystroke95(field: Locator): Promise<number> {
  const page = field.page()
  await field.focus()
  await page.keyboard.press('End')
  await page.evaluate(`(() => {
    const isMeasured = 'delays' in window
    window.delays = []
    if (!isMeasured) document.activeElement.addEventListener('keydown', () => {
      const began = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.delays.push(performance.now() - began)
        port2.postMessage(0)
      })
    })
  })()`)
  await page.keyboard.type('x'.repeat(60), { delay: 30 })
  const delays: number[] = await page.evaluate('window.delays')
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? Number.POSITIVE_INFINITY
}
