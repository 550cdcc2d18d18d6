import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pixelBytes } from '../access/pixel.ts'
import { isMissing } from '../browser/chromium.ts'
import { byKeyboard, byMouse } from './ways.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 240_000 })

const configId = 'magazine'
const ways = { 'by mouse': byMouse, 'by keyboard alone': byKeyboard }

describe.skipIf(isMissing)('a change, from the first word to the site and back', () => {
  let world: ConsoleWorld

  beforeAll(async () => {
    world = await startConsole()
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  /** What visitors of the site get at the page of an item. */
  const visited = async (itemId: string): Promise<string> => {
    const [site] = (await world.api.sites.list({ configId })).items
    const { items } = await world.api.sites.tree({ configId, siteId: site?.id ?? '' })
    const node = items.find((one) => one.itemId === itemId)
    if (!node) throw new Error('The site has no page of the item.')
    const answer = await fetch(`${world.url}/sites/${site?.slug}/${node.path}/`)
    expect(answer.status).toBe(200)
    return answer.text()
  }

  it.each(Object.entries(ways))('is made %s', async (name, way) => {
    const editor = await world.as(everything)
    const colleague = await world.as(everything)
    for (const page of [editor, colleague]) page.setDefaultTimeout(20_000)
    const use = way(editor)
    const packageName = `Story ${name}`
    const { id } = await world.api.items.getBySlug({ configId, slug: 'ink-that-remembers' })
    const heading = (text: string, page: Page = editor) =>
      page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()

    // A package, in which one works from then on.
    await editor.goto(`${world.url}/console/magazine/packages`)
    await heading('Packages')
    await use.press('New package')
    await use.type('Name', packageName)
    await use.press('Create')
    await heading(packageName)
    await use.press('Content')
    await heading('Content')
    await use.choose('Work in', packageName)
    await expect.poll(() => new URL(editor.url()).searchParams.get('in')).toBe(packageName)

    // An item is created, and a file uploaded.
    await use.press('New item')
    await use.choose('Type', 'Article')
    await use.type('Name', `Gums ${name}`)
    await use.press('Create')
    await heading(`Gums ${name}`)
    await use.type('Title', 'Gums and resins')
    await use.press('Save')
    await editor.getByText('All is saved.').waitFor()
    await use.press('Files')
    await heading('Files')
    const file = { name: `${name}.png`, mimeType: 'image/png', buffer: pixelBytes }
    await use.file('Drop files here, or choose some', file)
    await editor.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: file.name }).waitFor()
    const { items: made } = await world.api.packages.changes({ repo: configId, packageName })
    expect(made.map(({ kind }) => kind)).toEqual(['create', 'create'])

    // Two edit the same item, and one of them chooses.
    const address = `${world.url}/console/magazine/content/${id}?in=${encodeURIComponent(packageName)}`
    await editor.goto(address)
    await editor.getByLabel('Summary').waitFor()
    await use.type('Title', `Told ${name}`)
    await use.type('Summary', 'Mine.')
    await colleague.goto(address)
    await colleague.getByLabel('Summary').fill('Theirs.')
    await colleague.keyboard.press('Control+s')
    await colleague.getByText('All is saved.').waitFor()
    await use.press('Save')
    await use.side('fields.summary.en', 'What you typed')
    await use.press('Save what is chosen')
    await editor.getByText('All is saved.').waitFor()
    expect((await world.api.items.get({ configId, packageName, id })).fields).toMatchObject({
      title: `Told ${name}`,
      summary: 'Mine.',
    })

    // The pages are compared, and a colleague approves.
    await use.press('Review')
    await heading(packageName)
    await use.press('Pages')
    await editor.frameLocator('iframe').locator('ins').first().waitFor()
    await use.press('Review')
    await use.type('Comment', 'Please look at the title.')
    await use.press('Ask for review')
    await editor.getByText('Waits for review').first().waitFor()
    const other = way(colleague)
    await colleague.goto(`${world.url}/console/magazine/packages/${encodeURIComponent(packageName)}`)
    await colleague.getByText('Please look at the title.').waitFor()
    await other.press('Approve')
    await colleague.locator('.badge.approved').first().waitFor()

    // It is merged, published and looked at.
    await use.press('Merge')
    await use.press('Merge into main')
    await editor.getByRole('alertdialog').waitFor()
    await use.press('Merge into main')
    await editor.getByText('Merged by Person').waitFor()
    const before = await visited(id)
    expect(before).not.toContain(`Told ${name}`)
    await editor.goto(`${world.url}/console/magazine/content/${id}`)
    await use.press('Publish')
    await editor.getByRole('alertdialog').waitFor()
    await use.press('Publish')
    await editor.locator('.badge.published').waitFor()
    await use.press('Sites')
    await heading('Sites')
    const [site] = (await world.api.sites.list({ configId })).items
    await use.press(site?.name ?? '')
    await heading(site?.name ?? '')
    await use.press('Publish')
    await use.type('Why', `Because, ${name}`)
    await use.press('Publish now')
    await expect
      .poll(() => editor.locator('form [role=status]').innerText(), { timeout: 30_000 })
      .toMatch(/^Published\./)
    expect(await visited(id)).toContain(`Told ${name}`)

    // And it is rolled back: the site first, then the merge.
    await use.press('Show this again')
    await editor.getByRole('alertdialog').waitFor()
    await use.press('Show this again')
    await expect.poll(() => visited(id)).not.toContain(`Told ${name}`)
    await editor.goto(`${world.url}/console/magazine/packages/${encodeURIComponent(packageName)}/merge`)
    await use.press('Revert this merge')
    await heading(`revert-${packageName}`)
    await use.press('Merge')
    await use.press('Merge into main')
    await editor.getByRole('alertdialog').waitFor()
    await use.press('Merge into main')
    await editor.getByText('Merged by Person').waitFor()
    expect((await world.api.items.get({ configId, id })).fields).not.toMatchObject({ title: `Told ${name}` })
  })

  it('requested nothing from elsewhere, and logged no error', () => {
    expect(world.faults).toEqual([])
  })
})
