import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hostPage, type PageHost } from '../../examples/react-vite/src/host.ts'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { changedPackage, type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

describe.skipIf(isMissing)('a front end in the console', () => {
  let host: PageHost
  let origin: string
  let world: ConsoleWorld
  let editor: Page
  let id: string
  const packageName = 'With a front end'
  const inPackage = `?in=${encodeURIComponent(packageName)}&preview=on`
  const open = async (page: Page, of: string, search: string) => {
    await page.goto(`${world.url}/console/magazine/content/${of}${search}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const frame = (page: Page) => page.frameLocator('iframe')
  /** The page in the frame, once it shows the item. */
  const frontEnd = async (page: Page) => {
    await frame(page).getByRole('heading').waitFor()
    const found = page.frames().find((one) => one.url().startsWith(origin))
    return found ?? expect.unreachable('the front end is in a frame')
  }
  const setPreviewUrl = (previewUrl: string | null) =>
    world.api.repositories.update({ id: configId, settings: { previewUrl } })
  const policyOf = async (page: Page) =>
    String((await (await page.goto(`${world.url}/console/`))?.allHeaders())?.['content-security-policy'])
  const focused = (page: Page) =>
    page.evaluate<string>(
      "document.activeElement?.closest('[data-path]')?.getAttribute('data-path') ?? document.activeElement?.tagName",
    )

  beforeAll(async () => {
    host = await hostPage()
    ;({ origin } = host)
    world = await startConsole(origin)
    await host.build(world.url)
    await setPreviewUrl(`${origin}/preview/{slug}?package={package}&token={token}`)
    ;({ id } = await changedPackage(world, packageName, { name: 'Ink of the package' }))
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(async () => {
    await world.stop()
    await host.close()
  }, 60_000)

  it('is shown beside the editor, as it is in the package in which one works', async () => {
    await open(editor, id, `?in=${encodeURIComponent(packageName)}`)
    await editor.getByLabel('Preview').check()
    await expect.poll(() => new URL(editor.url()).searchParams.get('preview')).toBe('on')
    await frame(editor).getByRole('heading', { name: 'Ink of the package' }).waitFor()
    // The token is not in the address that the front end hands on.
    const shown = await frontEnd(editor)
    expect(shown.url()).toBe(`${origin}/preview/ink-that-remembers`)
    await open(editor, id, '?preview=on')
    await frame(editor).getByRole('heading', { name: 'Ink that remembers' }).waitFor()
  })

  it('opens the field that somebody clicks there, and shows what is saved without a new page', async () => {
    await open(editor, id, inPackage)
    await frame(editor).getByRole('heading').click()
    await expect.poll(() => focused(editor)).toBe('name')
    await frame(editor).locator('p').click()
    await expect.poll(() => focused(editor)).toBe('fields.title')
    const shown = await frontEnd(editor)
    await shown.evaluate('globalThis.isSame = true')
    await editor.getByLabel('Name', { exact: true }).fill('Ink as typed')
    await editor.keyboard.press('Control+s')
    await frame(editor).getByRole('heading', { name: 'Ink as typed' }).waitFor()
    expect(await shown.evaluate('globalThis.isSame')).toBe(true)
    expect(await world.api.items.get({ configId, packageName, id })).toMatchObject({ name: 'Ink as typed' })
  })

  it('leaves a click with a key to the page, and keeps what is typed when another item is clicked', async () => {
    await open(editor, id, inPackage)
    const name = editor.getByLabel('Name', { exact: true })
    await name.fill('Not saved yet')
    const shown = await frontEnd(editor)
    await editor.evaluate(
      "globalThis.seen = []; addEventListener('focusin', ({ target }) => seen.push(target.closest('[data-path]')?.dataset.path))",
    )
    await frame(editor)
      .locator('p')
      .click({ modifiers: ['Control'] })
    // Messages arrive in their order.
    await shown.evaluate(`parent.postMessage({ quire: 'edit', id: '${id}', path: 'slug' }, '${world.url}')`)
    await expect.poll(() => focused(editor)).toBe('slug')
    expect(await editor.evaluate('seen')).not.toContain('fields.title')
    const other = await world.api.items.create({ repositoryId: configId, type: 'article', name: 'The other' })
    const click = { quire: 'edit', id: other.id, path: 'fields.title' }
    await shown.evaluate(`parent.postMessage(${JSON.stringify(click)}, '${world.url}')`)
    await editor.getByRole('heading', { level: 1, name: 'The other' }).waitFor()
    await expect.poll(() => focused(editor)).toBe('fields.title')
    await expect.poll(() => new URL(editor.url()).searchParams.has('field')).toBe(false)
    await editor.goBack()
    await expect.poll(() => editor.getByLabel('Name', { exact: true }).inputValue()).toBe('Not saved yet')
    await editor.getByRole('button', { name: 'Discard what is not saved' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Discard what is not saved' }).click()
  })

  it('is not obeyed in anything else, nor is a page of another origin', async () => {
    await open(editor, id, inPackage)
    const shown = await frontEnd(editor)
    const before = editor.url()
    for (const message of [
      null,
      'edit',
      { quire: 'edit' },
      { quire: 'edit', id: 1, path: {} },
      { quire: 'saved' },
      { quire: 'edit', id, path: '"]' },
      { quire: 'edit', id, path: '' },
    ])
      await shown.evaluate(`parent.postMessage(${JSON.stringify(message)}, '*')`)
    // The window itself is not the page in the frame.
    await editor.evaluate(`postMessage({ quire: 'edit', id: 'CONT_1', path: 'name' }, '*')`)
    for (const path of ['name', 'a.'.repeat(20_000)])
      await shown.evaluate(
        `parent.postMessage({ quire: 'edit', id: '../../packages', path: '${path}' }, '*')`,
      )
    // Messages arrive in their order.
    await shown.evaluate(`parent.postMessage({ quire: 'edit', id: '${id}', path: 'fields.none' }, '*')`)
    await shown.evaluate(`parent.postMessage({ quire: 'edit', id: '${id}', path: 'slug' }, '*')`)
    await expect.poll(() => focused(editor)).toBe('slug')
    expect(editor.url()).toBe(before)
    // It cannot reach what is around it.
    expect(await shown.evaluate('typeof parent.document').catch(() => 'refused')).toBe('refused')
  })

  it('is in the policy of the page for those who see the repository alone', async () => {
    expect(await policyOf(editor)).toContain(`frame-src 'self' ${origin}`)
    const stranger = await world.asNobody()
    expect(await policyOf(stranger)).toContain("frame-src 'self';")
    const other = await world.as([])
    expect(await policyOf(other)).toContain("frame-src 'self';")
  })

  it('asks to load the page again when the address is newer than the page', async () => {
    await setPreviewUrl(null)
    await open(editor, id, inPackage)
    await editor.getByRole('button', { name: 'Save', exact: true }).waitFor()
    expect(await editor.getByLabel('Preview').count()).toBe(0)
    await setPreviewUrl(`${origin}/preview/{slug}?package={package}&token={token}`)
    // A change of the view asks the service again.
    await vi.waitFor(
      async () => {
        await editor.getByRole('link', { name: 'Versions' }).click()
        await editor.getByRole('link', { name: 'Edit', exact: true }).click()
        await editor.getByRole('button', { name: 'Load the page again' }).click({ timeout: 3000 })
      },
      { timeout: 30_000 },
    )
    await frame(editor).getByRole('heading').waitFor()
  })

  it('shows readers what they may read, and lets them change nothing', async () => {
    const reader = await world.as(['items.read', 'packages.view', 'admin.types.view'])
    await open(reader, id, inPackage)
    await frame(reader).getByRole('heading', { name: 'Ink as typed' }).waitFor()
    await frame(reader).getByRole('heading').click()
    expect(await reader.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    await lookAt(
      editor,
      { 'front-end': `/${id}${inPackage}` },
      (path) => `${world.url}/console/magazine/content${path}`,
    )
    expect(await editor.title()).toBe('Ink as typed · Quire')
  })

  it('requests nothing from elsewhere, and logs no error', () => {
    // The browser reports the frame that the policy of an older page refused.
    expect(world.faults.filter((fault) => !/frame-src|Framing/.test(fault))).toEqual([])
  })
})
