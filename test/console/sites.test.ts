import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { pressUntil } from './ways.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

describe.skipIf(isMissing)('sites in the console', () => {
  let world: ConsoleWorld
  let editor: Page
  let siteId: string
  let siteName: string
  const at = (path: string) => `${world.url}/console/magazine/sites${path}`
  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }
  const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true })
  const frame = (page: Page) => page.frameLocator('iframe')
  const tree = () => world.api.sites.tree({ configId, siteId })
  const nodeNamed = async (name: string) => (await tree()).items.find((node) => node.name === name)
  const active = async () =>
    (await world.api.sites.publications({ configId, siteId })).items.find(({ isActive }) => isActive)

  beforeAll(async () => {
    world = await startConsole()
    const [site] = (await world.api.sites.list({ configId })).items
    siteId = site?.id ?? ''
    siteName = site?.name ?? ''
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  it('lists sites, and previews a chosen page as it would be published', async () => {
    await open(editor, '', 'Sites')
    await editor.getByRole('link', { name: siteName, exact: true }).click()
    await editor.getByRole('heading', { level: 1, name: siteName }).waitFor()
    await frame(editor).locator('body').getByText('Ink that remembers').first().waitFor()
    const chosen = (await tree()).items.find(({ kind, itemId }) => kind === 'page' && itemId !== null)
    await row(editor, chosen?.name ?? '').click()
    await expect.poll(() => new URL(editor.url()).searchParams.get('node')).toBe(chosen?.id)
    await expect
      .poll(async () => editor.locator('iframe').getAttribute('src'))
      .toContain(`/preview/${chosen?.path}/`)
    await frame(editor).getByRole('heading', { level: 1 }).first().waitFor()
  })

  it('makes sections and pages, moves, changes and deletes them', async () => {
    await open(editor, `/${siteId}`, siteName)
    // Before anything is chosen, at the top.
    await editor.getByLabel('New at the top').fill('Annex')
    await editor.getByLabel('New at the top').press('Enter')
    await row(editor, 'Annex').waitFor()
    expect(await nodeNamed('Annex')).toMatchObject({ kind: 'section', parentId: null })
    const [section] = (await tree()).items.filter(({ kind, depth }) => kind === 'section' && depth === 1)
    await row(editor, section?.name ?? '').click()
    await editor.getByLabel(`New in ${section?.name}`).fill('Aside')
    await editor.getByRole('button', { name: 'Create', exact: true }).first().click()
    await row(editor, 'Aside').click()
    await editor.getByLabel('New page in Aside').fill('Colophon')
    await editor.getByLabel('New page in Aside').press('Enter')
    await editor.getByRole('heading', { name: 'The chosen page' }).waitFor()
    expect(await nodeNamed('Colophon')).toMatchObject({ kind: 'page', itemId: null, visible: true })
    await editor.getByLabel('The item that it shows').fill('Ink that')
    await editor.getByRole('option', { name: 'Ink that remembers' }).click()
    await editor.getByLabel('Template', { exact: true }).selectOption('article')
    await editor.getByLabel('Published with the site').uncheck()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() => nodeNamed('Colophon'))
      .toMatchObject({ visible: false, itemId: expect.any(String) })
    await frame(editor).getByText('Ink that remembers').first().waitFor()
    // By choosing: into the section above.
    const within = editor.getByLabel('Inside')
    await within.selectOption(section?.name ?? '')
    await expect.poll(async () => (await nodeNamed('Colophon'))?.parentId).toBe(section?.id)
    expect(await within.locator('option').allInnerTexts()).not.toContain('At the top')
    // By drag: before another page.
    const sectionId = section?.id ?? ''
    await world.api.pages.create({ configId, siteId, sectionId, name: 'Bindery', visible: false })
    const pages = async () =>
      (await tree()).items.flatMap(({ parentId, kind, name }) =>
        parentId === sectionId && kind === 'page' ? [name] : [],
      )
    expect(await pages()).toEqual(['Bindery', 'Colophon'])
    await editor.reload()
    await row(editor, 'Bindery').waitFor()
    await row(editor, 'Colophon').dragTo(row(editor, 'Bindery'), { targetPosition: { x: 60, y: 2 } })
    await expect.poll(pages).toEqual(['Colophon', 'Bindery'])
    // A new version of the page leaves what is typed and not saved.
    await editor.getByLabel('Slug').fill('last-page')
    await editor.getByLabel('Name', { exact: true }).fill('Coda')
    await editor.getByLabel('Name', { exact: true }).press('Enter')
    await row(editor, 'Coda').waitFor()
    expect(await nodeNamed('Coda')).toMatchObject({ slug: 'colophon' })
    expect(await editor.getByLabel('Slug').inputValue()).toBe('last-page')
    await editor.getByRole('button', { name: 'Delete', exact: true }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => nodeNamed('Coda')).toBeUndefined()
  })

  it('previews a template that is changed in a package, and leaves main alone', async () => {
    await world.api.packages.create({ repo: configId, name: 'new-look' })
    await open(editor, `/${siteId}/templates?in=new-look`, siteName)
    const before = (await world.api.sites.get({ configId, siteId })).templates
    const source = editor.locator('textarea.source')
    const text = await source.inputValue()
    await source.fill(text.replace('</body>', '<p>Fresh paint</p></body>'))
    // What is typed survives a reload.
    await editor.reload()
    await editor.getByText('Not saved yet. It is kept in this browser.').waitFor()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => editor.getByText('Not saved yet.').count()).toBe(0)
    await editor.getByRole('link', { name: 'Pages', exact: true }).click()
    await frame(editor).getByText('Fresh paint').waitFor()
    expect((await world.api.sites.get({ configId, siteId })).templates).toEqual(before)
    await open(editor, `/${siteId}`, siteName)
    await frame(editor).getByText('Ink that remembers').first().waitFor()
    expect(await frame(editor).getByText('Fresh paint').count()).toBe(0)
  })

  it('says when somebody else saved templates since, and keeps what was typed', async () => {
    await open(editor, `/${siteId}/templates`, siteName)
    const source = editor.locator('textarea.source')
    const mine = `${await source.inputValue()}<!-- mine -->`
    await source.fill(mine)
    const { templates } = await world.api.sites.get({ configId, siteId })
    await world.api.sites.update({
      configId,
      siteId,
      templates: { ...templates, layout: `${templates['layout']}<!-- theirs -->` },
    })
    await editor.reload()
    await editor.getByText('Somebody else has saved templates since.').first().waitFor()
    expect(await source.inputValue()).toBe(mine)
    expect(await editor.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await editor.getByRole('button', { name: 'Discard what is not saved' }).click()
    expect(await source.inputValue()).toContain('theirs')
  })

  it('merges templates that several change, and loses nothing that is typed while it saves', async () => {
    await open(editor, `/${siteId}/templates`, siteName)
    const source = editor.locator('textarea.source')
    const unsaved = editor.getByText('Not saved yet. It is kept in this browser.')
    // A draft of one template does not keep another from being saved, nor the other way round.
    await source.fill('{{ content }}<!-- first -->')
    await editor.getByLabel('Template', { exact: true }).selectOption('card')
    await source.fill('<!-- second -->')
    // Somebody else changes a third one, of which this page does not know yet.
    const { templates } = await world.api.sites.get({ configId, siteId })
    await world.api.sites.update({ configId, siteId, templates: { ...templates, date: '<!-- third -->' } })
    await editor.route('**/api/sites/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await source.press('End')
    await source.pressSequentially(' and more')
    await editor.unrouteAll({ behavior: 'wait' })
    await expect
      .poll(async () => (await world.api.sites.get({ configId, siteId })).templates['card'])
      .toBe('<!-- second -->')
    expect(await source.inputValue()).toBe('<!-- second --> and more')
    await unsaved.waitFor()
    await editor.getByLabel('Template', { exact: true }).selectOption('layout')
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => unsaved.count()).toBe(0)
    expect((await world.api.sites.get({ configId, siteId })).templates).toMatchObject({
      layout: '{{ content }}<!-- first -->',
      card: '<!-- second -->',
      date: '<!-- third -->',
    })
    await world.api.sites.update({ configId, siteId, templates })
  })

  it('says which template is wrong, in the preview', async () => {
    await world.api.packages.create({ repo: configId, name: 'broken-look' })
    await open(editor, `/${siteId}/templates?in=broken-look`, siteName)
    await editor.locator('textarea.source').fill('{{ content }}\n{% if %}{% endfor %}')
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => editor.getByText('Not saved yet.').count()).toBe(0)
    await editor.getByRole('link', { name: 'Pages', exact: true }).click()
    await frame(editor).getByText('template "layout", line 2').waitFor()
    // What visitors see is as it was.
    expect((await fetch(`${world.url}/sites/magazine/`)).status).toBe(200)
  })

  it('shows a page as it was at a time', async () => {
    const { items } = await tree()
    const shown = items.find(({ kind, itemId }) => kind === 'page' && itemId !== null)
    const id = shown?.itemId ?? ''
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const before = new Date()
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { fields = {} } = await world.api.items.get({ configId, id })
    const title = textOf(fields['title'])
    await world.api.items.update({ configId, id, fields: { title: 'Since then' } })
    const address = `${at(`/${siteId}`)}?node=${shown?.id}`
    await editor.goto(address)
    await frame(editor).getByText('Since then').first().waitFor()
    const local = new Date(before.getTime() - before.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
    await editor.goto(`${address}&at=${local}`)
    await frame(editor).getByText(title).first().waitFor()
    expect(await frame(editor).getByText('Since then').count()).toBe(0)
    await world.api.items.update({ configId, id, fields: { title } })
  })

  it('publishes with progress, and shows an earlier publication again, by keyboard alone', async () => {
    await open(editor, `/${siteId}/publications`, siteName)
    const first = await active()
    await editor.getByLabel('Why').focus()
    await editor.keyboard.type('A new colophon')
    await editor.keyboard.press('Enter')
    await expect
      .poll(() => editor.locator('form [role=status]').innerText(), { timeout: 20_000 })
      .toMatch(/^Published\./)
    const second = await active()
    expect(second).toMatchObject({ number: (first?.number ?? 0) + 1, comment: 'A new colophon' })
    await editor.getByText('A new colophon').waitFor()
    await pressUntil(editor, 'Show this again')
    await editor.keyboard.press('Enter')
    await editor.getByRole('alertdialog').waitFor()
    await pressUntil(editor, 'Show this again')
    await editor.keyboard.press('Enter')
    await expect.poll(async () => (await active())?.number).toBe(first?.number)
    await expect
      .poll(() => editor.locator('li', { hasText: 'Visitors see this' }).innerText())
      .toContain(`No. ${first?.number}`)
  })

  it('offers nothing that the person may not do', async () => {
    const reader = await world.as(['items.read', 'admin.types.view'])
    await open(reader, `/${siteId}/publications`, siteName)
    expect(await reader.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await reader.getByText('sites.publish').first().waitFor()
    await reader.goto(at(`/${siteId}/templates`))
    await reader.locator('textarea.source').waitFor()
    expect(await reader.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await reader.goto(at(''))
    await reader.getByRole('link', { name: siteName, exact: true }).waitFor()
    expect(await reader.getByRole('button', { name: 'New site' }).isDisabled()).toBe(true)
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    await lookAt(
      editor,
      {
        sites: '',
        site: `/${siteId}`,
        templates: `/${siteId}/templates`,
        publications: `/${siteId}/publications`,
      },
      at,
    )
    expect(await editor.title()).toContain('Quire')
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
