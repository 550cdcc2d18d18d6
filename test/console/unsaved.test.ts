import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

// What somebody typed is there in the unusual cases, too.
describe.skipIf(isMissing)('what is typed in the console', () => {
  let world: ConsoleWorld
  let editor: Page
  const aNote = (name: string) =>
    world.api.items.create({ repositoryId: configId, type: 'note', name, fields: { words: ['One', 'Two'] } })
  const open = async (path: string, heading: string) => {
    await editor.goto(`${world.url}/console/magazine${path}`)
    await editor.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }
  const focused = () => editor.evaluate('document.activeElement.getAttribute("aria-label")')

  beforeAll(async () => {
    world = await startConsole()
    await world.api.types.create({
      name: 'note',
      fields: [
        { name: 'at', kind: 'datetime' },
        { name: 'weight', kind: 'number' },
        { name: 'gone', kind: 'text' },
        { name: 'words', kind: 'text', list: true },
      ],
    })
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  it('publishes nothing at a time that is incomplete', async () => {
    const { id } = await aNote('Not yet')
    await open(`/content/${id}`, 'Not yet')
    await editor.getByRole('button', { name: 'Publish', exact: true }).click()
    const question = editor.getByRole('alertdialog')
    await question.getByLabel('Later, at').focus()
    await editor.keyboard.type('12242099')
    await question.getByText('This time is incomplete.').waitFor()
    expect(await question.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await question.getByLabel('Later, at').focus()
    await editor.keyboard.type('12242099')
    await editor.keyboard.press('Tab')
    await editor.keyboard.type('1011AM')
    await question.getByRole('button', { name: 'Publish' }).click()
    await editor.getByText('It will be published on').waitFor()
    expect((await world.api.items.get({ configId, id })).isPublished).toBe(false)
  })

  it('is a year of four digits, and a number with the comma of the language', async () => {
    const { id } = await aNote('Numbers')
    await open(`/content/${id}`, 'Numbers')
    await editor.getByLabel('at', { exact: true }).focus()
    await editor.keyboard.type('0102202611011AM')
    await editor.getByLabel('weight', { exact: true }).fill('12,5')
    await editor.keyboard.press('Control+S')
    await editor.getByText('fields.weight').first().waitFor()
    await editor.getByLabel('weight', { exact: true }).fill('12.5')
    await editor.keyboard.press('Control+s')
    await editor.getByText('All is saved.').waitFor()
    await editor.getByLabel('Language', { exact: true }).selectOption('de')
    await editor.getByLabel('weight', { exact: true }).fill('13,25')
    await editor.keyboard.press('Control+s')
    const weight = async () => (await world.api.items.get({ configId, id })).fields
    await expect.poll(weight).toMatchObject({ at: expect.any(Number), weight: 13.25 })
    await editor.getByLabel('Sprache', { exact: true }).selectOption('en')
  })

  it('can be copied when somebody has deleted the item, or removed the field', async () => {
    const { id } = await aNote('Deleted')
    await open(`/content/${id}`, 'Deleted')
    await editor.getByLabel('Description').fill('A long thought')
    await editor.getByText('Not saved yet.').waitFor()
    await world.api.items.delete({ configId, id })
    await editor.reload()
    await editor.getByText('You typed this, and it cannot be saved here.').waitFor()
    expect(await editor.locator('pre').allInnerTexts()).toEqual(['A long thought'])
    expect(await editor.getByText('This did not work').count()).toBe(1)
    await editor.getByRole('button', { name: 'Discard what is not saved' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Discard what is not saved' }).click()
    await editor.locator('pre').waitFor({ state: 'detached' })

    const other = await aNote('Fewer fields')
    await open(`/content/${other.id}`, 'Fewer fields')
    await editor.getByLabel('gone', { exact: true }).fill('A short thought')
    await editor.getByLabel('Description').fill('Stays')
    const type = await world.api.types.get({ id: 'note' })
    const fields = type.fields.filter(({ name }) => name !== 'gone')
    await world.api.types.update({ id: type.id, fields })
    await editor.reload()
    await editor.getByText('Somebody has removed these fields from the type.').waitFor()
    expect(await editor.locator('pre').allInnerTexts()).toEqual(['A short thought'])
    await editor.getByRole('button', { name: 'Take out gone' }).click()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.getByText('All is saved.').waitFor()
    expect(await world.api.items.get({ configId, id: other.id })).toMatchObject({ description: 'Stays' })
  })

  it('can be copied when the package is merged meanwhile', async () => {
    await world.api.packages.create({ repo: configId, name: 'quick' })
    const { id } = await world.api.items.create({
      repositoryId: configId,
      packageName: 'quick',
      type: 'note',
      name: 'Merged',
    })
    await open(`/content/${id}?in=quick`, 'Merged')
    await editor.getByLabel('Description').fill('Too late')
    await editor.getByText('Not saved yet.').waitFor()
    await world.api.packages.merge({ repo: configId, packageName: 'quick' })
    await editor.reload()
    await editor.getByText('You typed this, and it cannot be saved here.').waitFor()
    expect(await editor.locator('pre').allInnerTexts()).toEqual(['Too late'])
  })

  it('is in a form that was begun, after a reload', async () => {
    await open('/content', 'Content')
    await editor.getByRole('button', { name: 'New item' }).click()
    await editor.getByLabel('Name', { exact: true }).fill('Begun')
    await editor.reload()
    await expect.poll(() => editor.getByLabel('Name', { exact: true }).inputValue()).toBe('Begun')
    await editor.getByRole('button', { name: 'Cancel', exact: true }).click()
    await editor.reload()
    await editor.getByRole('button', { name: 'New item' }).waitFor()
  })

  it('stays in the form of a page: in another view, after a reload, and during a save', async () => {
    const [site] = (await world.api.sites.list({ configId })).items
    const siteId = site?.id ?? ''
    const { items } = await world.api.sites.tree({ configId, siteId })
    const page = items.find(({ kind, itemId }) => kind === 'page' && itemId !== null)
    const path = `/sites/${siteId}?node=${page?.id}`
    await open(path, site?.name ?? '')
    const slug = () => editor.getByLabel('Slug', { exact: true })
    await slug().fill('first-slug')
    await editor.reload()
    await expect.poll(() => slug().inputValue()).toBe('first-slug')
    await editor.route('**/pages/**', async (route) => {
      if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    const answered = editor.waitForResponse((response) => response.request().method() === 'PATCH')
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await slug().fill('second-slug')
    expect((await answered).status()).toBe(200)
    await editor.waitForTimeout(300)
    expect(await slug().inputValue()).toBe('second-slug')
  })

  it('has the focus after it was moved to the end', async () => {
    const { id } = await aNote('Moves')
    await open(`/content/${id}`, 'Moves')
    await editor.getByRole('button', { name: /down/i }).first().click()
    await expect.poll(focused).toMatch(/down/i)
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
