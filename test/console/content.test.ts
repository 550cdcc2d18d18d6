import type { FieldValues } from '@quire/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { pressUntil } from './ways.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

describe.skipIf(isMissing)('content in the console', () => {
  let world: ConsoleWorld
  let editor: Page
  const at = (path: string) => `${world.url}/console/magazine/content${path}`
  const ink = () => world.api.items.getBySlug({ configId, slug: 'ink-that-remembers' })
  const anArticle = (name: string, fields: FieldValues = {}) =>
    world.api.items.create({
      repositoryId: configId,
      type: 'article',
      name,
      fields: { title: name, ...fields },
    })

  beforeAll(async () => {
    world = await startConsole()
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All is saved.').waitFor()
  }

  it('lists items with the columns of a type, filters, sorts and finds', async () => {
    await open(editor, '', 'Content')
    await editor.getByLabel('Type').selectOption('article')
    await editor.getByRole('cell', { name: 'Inês Okafor' }).first().waitFor()
    // The rows of before stay until the new ones are there.
    const types = async () => [...new Set(await editor.locator('tbody td code').allInnerTexts())]
    await expect.poll(types).toEqual(['article'])
    await editor.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
    await editor.locator('th[aria-sort="ascending"]').waitFor()
    const names = () => editor.locator('tbody th a').allInnerTexts()
    await expect.poll(names).toEqual((await names()).toSorted((a, b) => a.localeCompare(b, 'en')))
    const states = () => editor.locator('tbody .badge').allInnerTexts()
    await editor.getByRole('columnheader', { name: 'Status' }).getByRole('link').click()
    await editor.getByRole('columnheader', { name: 'Status' }).getByRole('link').click()
    await expect.poll(async () => (await states())[0]).not.toBe('Draft')
    await editor.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
    await editor.getByLabel('Status').selectOption('draft')
    await expect
      .poll(async () => new Set(await editor.locator('tbody .badge').allInnerTexts()))
      .toEqual(new Set(['Draft']))
    expect(new URL(editor.url()).search).toBe('?type=article&status=draft&sort=name')
    await open(editor, '', 'Content')
    await editor.getByLabel('Search').fill('gall')
    await editor.keyboard.press('Enter')
    await editor.locator('mark').first().waitFor()
    expect(await editor.locator('mark').first().innerText()).toMatch(/gall/i)
  })

  it('filters by the fields of a type, and saves that as a query', async () => {
    await open(editor, '?type=article', 'Content')
    await editor.getByText('Conditions', { exact: true }).click()
    const rows = () => editor.locator('tbody tr').count()
    await editor.getByRole('row').filter({ hasText: 'Inês Okafor' }).first().waitFor()
    const all = await rows()
    await editor.getByLabel('Field').selectOption('author')
    await editor.getByRole('combobox', { name: 'Value' }).fill('Inês')
    await editor.getByRole('option', { name: 'Inês Okafor' }).click()
    await editor.getByRole('button', { name: 'Add the condition' }).click()
    await editor.getByRole('listitem').filter({ hasText: 'Author is Inês Okafor' }).waitFor()
    await expect.poll(rows).toBeLessThan(all)
    const ofAuthor = await rows()
    expect(await editor.getByRole('row').filter({ hasText: 'Inês Okafor' }).count()).toBe(ofAuthor)
    await editor.getByLabel('Field').selectOption('readingMinutes')
    await editor.getByLabel('Comparison').selectOption('gte')
    await editor.getByLabel('Value').fill('1000')
    await editor.getByRole('button', { name: 'Add the condition' }).click()
    await editor.getByText('No item matches.').waitFor()
    // It is in the address, in the grammar of the API.
    expect(JSON.parse(new URL(editor.url()).searchParams.get('where') ?? '')).toMatchObject({
      'fields.author': { eq: expect.any(String) },
      'fields.readingMinutes': { gte: 1000 },
    })
    await editor
      .getByRole('listitem')
      .filter({ hasText: 'is at least' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect.poll(rows).toBe(ofAuthor)
    await editor.getByRole('button', { name: 'Save this query' }).click()
    await editor.getByLabel('Name').fill('by-ines')
    await editor.getByRole('button', { name: 'Save this query' }).click()
    await open(editor, '', 'Content')
    await editor.getByLabel('Saved query').selectOption('by-ines')
    await editor.getByRole('listitem').filter({ hasText: 'Author is Inês Okafor' }).waitFor()
    await expect.poll(rows).toBe(ofAuthor)
  })

  it('creates, edits, publishes and finds what uses an item, by mouse', async () => {
    await open(editor, '', 'Content')
    await editor.getByRole('button', { name: 'New item' }).click()
    await editor.locator('form.panel').getByLabel('Type').selectOption('article')
    await editor.locator('form.panel').getByLabel('Name').fill('Glue of bones')
    await editor.getByRole('button', { name: 'Create' }).click()
    await editor.getByRole('heading', { level: 1, name: 'Glue of bones' }).waitFor()
    // The form that had the focus is gone.
    await expect.poll(() => editor.evaluate('document.activeElement.tagName')).toBe('H1')
    await editor.getByLabel('Title').fill('Glue of bones')
    await editor.getByLabel('Minutes to read').fill('soon')
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.locator('.field', { hasText: 'Minutes to read' }).getByRole('alert').waitFor()
    await editor.getByLabel('Minutes to read').fill('7')
    await editor.getByLabel('Published on').fill('2026-11-28')
    await editor.getByLabel('Author').fill('ines')
    await editor.getByLabel('Author').fill('Inês')
    await editor.getByRole('option', { name: 'Inês Okafor' }).click()
    const topics = editor.getByRole('group', { name: 'Topics' })
    for (const [index, topic] of ['glue', 'bones', 'ovens'].entries()) {
      await topics.getByRole('button', { name: 'Add' }).click()
      await topics.getByLabel(`Topics ${index + 1}`).fill(topic)
    }
    await topics.getByRole('button', { name: 'Move 3 up' }).click()
    await topics.getByRole('button', { name: 'Remove 3' }).click()
    await editor.getByLabel('Text').fill('Boil them for a night.')
    await save(editor)
    const made = await world.api.items.getBySlug({ configId, slug: 'glue-of-bones' })
    expect(made.fields).toMatchObject({
      title: 'Glue of bones',
      readingMinutes: 7,
      publishedOn: '2026-11-28',
      topics: ['glue', 'ovens'],
      body: 'Boil them for a night.',
    })
    await editor.getByRole('button', { name: 'Publish', exact: true }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
    await editor.locator('.badge.published').waitFor()
    const author = JSON.stringify(made.fields?.['author']).slice(1, -1)
    await open(editor, `/${author}/uses`, 'Inês Okafor')
    await editor.getByRole('link', { name: 'Glue of bones' }).waitFor()
  })

  it('shows both sides when two change the same, and merges the rest', async () => {
    const { id } = await anArticle('Two pens', {
      summary: 'One.',
      readingMinutes: 1,
      body: 'First.\n\nLast.',
    })
    await open(editor, `/${id}`, 'Two pens')
    await editor.getByLabel('Summary').fill('Mine.')
    await editor.getByLabel('Minutes to read').fill('3')
    await editor.getByLabel('Text').fill('First of mine.\n\nLast.')
    await world.api.items.update({
      configId,
      id,
      name: 'Two pens, one ink',
      fields: { summary: 'Theirs.', readingMinutes: 2, body: 'First.\n\nLast of theirs.' },
    })
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    const conflicts = editor.getByRole('region', { name: 'Somebody else changed the same' })
    await conflicts.waitFor()
    const choose = (path: string, side: string) =>
      conflicts
        .getByRole('radiogroup', { name: path })
        .getByRole('radio', { name: side })
        .check({ force: true })
    await choose('fields.summary.en', 'What you typed')
    await choose('fields.readingMinutes', 'What is saved by now')
    await editor.getByRole('button', { name: 'Save what is chosen' }).click()
    await editor.getByText('All is saved.').waitFor()
    await conflicts.waitFor({ state: 'detached' })
    const after = await world.api.items.get({ configId, id })
    expect(after).toMatchObject({
      name: 'Two pens, one ink',
      fields: { summary: 'Mine.', readingMinutes: 2, body: 'First of mine.\n\nLast of theirs.' },
    })
  })

  it('shows what versions changed, and restores one', async () => {
    const { id } = await anArticle('Older', { summary: 'At first.' })
    await world.api.items.update({ configId, id, fields: { summary: 'Afterwards.' } })
    await open(editor, `/${id}/versions`, 'Older')
    await editor.getByRole('button', { name: 'What it changed' }).click()
    await editor.locator('ins', { hasText: 'Afterwards' }).waitFor()
    await editor.getByRole('button', { name: 'Restore' }).click()
    await editor.getByText('Version 3').waitFor()
    expect((await world.api.items.get({ configId, id })).fields).toMatchObject({ summary: 'At first.' })
  })

  it('works in the package that is chosen at the top, and leaves main alone', async () => {
    const { id } = await ink()
    await world.api.packages.create({ repo: configId, name: 'desk' })
    await open(editor, `/${id}`, 'Ink that remembers')
    await editor.getByLabel('Work in').selectOption('desk')
    await expect.poll(() => new URL(editor.url()).search).toContain('in=desk')
    await editor.getByLabel('Name', { exact: true }).fill('Ink in the package')
    await save(editor)
    await editor.getByRole('heading', { level: 1, name: 'Ink in the package' }).waitFor()
    expect((await world.api.items.get({ configId, id })).name).toBe('Ink that remembers')
    await editor.getByRole('link', { name: 'Review' }).click()
    await editor.getByRole('link', { name: 'Changes' }).click()
    await editor.locator('ins', { hasText: 'package' }).first().waitFor()
  })

  it('edits one language and leaves the others', async () => {
    const { id } = await ink()
    await open(editor, `/${id}`, 'Ink that remembers')
    await editor.getByLabel('Language of the content').selectOption('de')
    await expect.poll(() => editor.getByLabel('Title').inputValue()).toBe('Tinte, die sich erinnert')
    await editor.getByLabel('Title').fill('Tinte, die bleibt')
    await save(editor)
    const all = await world.api.items.get({ configId, id, locale: '*' })
    expect(all.fields?.['title']).toMatchObject({ en: 'Ink that remembers', de: 'Tinte, die bleibt' })
  })

  it('shows beside a translation what it is of, and says when it is outdated', async () => {
    const { id } = await anArticle('Steel quill')
    await world.api.items.update({ configId, id, locale: 'de', fields: { title: 'Feder' } })
    await world.api.items.update({ configId, id, fields: { title: 'Golden quill' } })
    await open(editor, '?type=article&locale=de', 'Content')
    await editor.getByLabel('Translation').selectOption('outdated')
    await editor.getByRole('row').filter({ hasText: 'Steel quill' }).getByRole('link').click()
    await editor.getByRole('heading', { level: 1, name: 'Steel quill' }).waitFor()
    const original = editor.locator('.original', { hasText: 'Golden quill' })
    await original.getByText('Outdated').waitFor()
    expect(await editor.getByLabel('Title').inputValue()).toBe('Feder')
    await original.getByRole('button', { name: 'It is still right' }).click()
    await original.getByText('Current').waitFor()
    const { items } = await world.api.translations.list({ configId, itemId: id, locale: 'de' })
    expect(items[0]?.translations).toContainEqual({ path: 'fields.title', locale: 'de', state: 'current' })
    // The default locale is no translation.
    await editor.getByLabel('Language of the content').selectOption('en')
    await expect.poll(() => editor.locator('.original').count()).toBe(0)
  })

  it('shows the columns that are chosen', async () => {
    await open(editor, '?type=article', 'Content')
    await editor.locator('summary', { hasText: 'Columns' }).click()
    await editor.getByRole('checkbox', { name: 'Author', exact: true }).uncheck()
    await expect.poll(() => editor.getByRole('columnheader', { name: 'Author' }).count()).toBe(0)
    expect(new URL(editor.url()).searchParams.get('columns')).not.toContain('author')
  })

  it('moves many into a folder, and into and out of a category', async () => {
    const folder = await world.api.folders.create({ configId, name: 'Attic' })
    const taxonomy = await world.api.taxonomies.create({ configId, name: 'Moods' })
    await world.api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Calm' })
    const ids = await Promise.all(['Box one', 'Box two'].map(async (name) => (await anArticle(name)).id))
    const chosen = async () => {
      await open(editor, '?sort=-updatedDate', 'Content')
      for (const name of ['Box one', 'Box two']) await editor.getByLabel(`Choose “${name}”`).check()
    }
    await chosen()
    await editor.getByLabel('Folder').selectOption('Attic')
    await editor.getByRole('button', { name: 'Move there' }).click()
    await editor.getByText('Done for 2.').waitFor()
    await chosen()
    await editor.getByLabel('Category').selectOption('Moods: Calm')
    await editor.getByRole('button', { name: 'Put into it' }).click()
    await editor.getByText('Done for 2.').waitFor()
    for (const id of ids) {
      const { folderId, taxonomies } = await world.api.items.get({ configId, id })
      expect([folderId, taxonomies?.map(({ name }) => name)]).toEqual([folder.id, ['Moods']])
    }
    await chosen()
    await editor.getByLabel('Category').selectOption('Moods: Calm')
    await editor.getByRole('button', { name: 'Take out of it' }).click()
    await editor.getByText('Done for 2.').waitFor()
    expect((await world.api.items.get({ configId, id: ids[0] ?? '' })).taxonomies).toEqual([])
  })

  it('opens views that were never opened without a network, once somebody has begun', async () => {
    const page = await world.as(everything)
    await open(page, '', 'Content')
    await page.keyboard.press('Tab')
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Sites', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor()
    await page.getByText('The service does not respond.').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('link', { name: 'Deckle' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/magazine/sites')
    await page.close()
  })

  it('does something to many at once, and says what became of each', async () => {
    await anArticle('Heap one')
    const other = await world.api.items.create({ repositoryId: configId, type: 'article', name: 'Heap two' })
    await open(editor, '?sort=-updatedDate', 'Content')
    await editor.getByLabel('Choose “Heap one”').check()
    await editor.getByLabel('Choose “Heap two”').check()
    await editor.getByText('2 chosen').waitFor()
    await editor.getByRole('button', { name: 'Publish', exact: true }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
    await editor.getByText('Done for 1, not for 1:').waitFor()
    expect(await editor.getByRole('listitem').filter({ hasText: other.id }).innerText()).toContain('title')
  })

  it('edits and saves by keyboard alone', async () => {
    const { id } = await anArticle('By keys', { summary: 'Slow.' })
    await open(editor, '?sort=-updatedDate', 'Content')
    await pressUntil(editor, 'By keys')
    await editor.keyboard.press('Enter')
    await editor.getByRole('heading', { level: 1, name: 'By keys' }).waitFor()
    await editor.getByLabel('Summary').waitFor()
    for (let presses = 0; presses < 60; presses += 1) {
      await editor.keyboard.press('Tab')
      if ((await editor.evaluate('document.activeElement?.value')) === 'Slow.') break
    }
    await editor.keyboard.press('End')
    await editor.keyboard.type(' And steady.')
    await editor.keyboard.press('Control+s')
    await editor.getByText('All is saved.').waitFor()
    expect((await world.api.items.get({ configId, id })).fields).toMatchObject({
      summary: 'Slow. And steady.',
    })
  })

  it('loses nothing that is typed: not by saves, others, another view, a reload or a lost network', async () => {
    const page = await world.as(everything)
    const { id } = await anArticle('Typing', { summary: '', body: 'x' })
    await open(page, `/${id}`, 'Typing')
    const field = page.getByLabel('Text')
    await field.fill('')
    const parts = [
      'It begins. ',
      'Somebody saves. ',
      'It is saved. ',
      'The network goes. ',
      'Another view. ',
      'The end.',
    ]
    // Pressed, it could hold Ctrl while a letter is typed, which is then no letter.
    const ctrlS = () =>
      page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true }))")
    const during: readonly (() => Promise<unknown>)[] = [
      async () => undefined,
      () => world.api.items.update({ configId, id, fields: { summary: 'Somebody else' } }),
      ctrlS,
      async () => {
        await page.context().setOffline(true)
        await ctrlS()
      },
      async () => undefined,
      async () => undefined,
    ]
    for (const [index, part] of parts.entries()) {
      if (index === 4) {
        await page.context().setOffline(false)
        await page.getByRole('link', { name: 'Versions' }).click()
        await page.getByRole('heading', { name: 'Versions' }).waitFor()
        await page.getByRole('link', { name: 'Edit', exact: true }).click()
      }
      if (index === 5) await page.reload()
      await field.waitFor()
      await field.focus()
      await page.keyboard.press('Control+End')
      // 15 characters a second.
      const typing = page.keyboard.type(part, { delay: 66 })
      await during[index]?.()
      await typing
    }
    await page.keyboard.press('Control+s')
    await page.getByText('All is saved.').waitFor()
    const { fields } = await world.api.items.get({ configId, id })
    expect(fields).toMatchObject({ summary: 'Somebody else', body: parts.join('') })
    await page.close()
  })

  it('has a control for each kind of field, in which what is typed stays', async () => {
    await world.api.types.create({
      name: 'instrument',
      fields: [
        { name: 'place', kind: 'geo' },
        { name: 'notes', kind: 'json' },
        { name: 'ink', kind: 'color' },
        { name: 'made', kind: 'datetime' },
        { name: 'weight', kind: 'number' },
        { name: 'count', kind: 'integer' },
        { name: 'sold', kind: 'boolean' },
        { name: 'link', kind: 'url' },
        { name: 'mail', kind: 'email' },
        { name: 'key', kind: 'slug' },
      ],
    })
    const { id } = await world.api.items.create({
      repositoryId: configId,
      type: 'instrument',
      name: 'A burnisher',
    })
    await open(editor, `/${id}`, 'A burnisher')
    const typed = {
      Latitude: '52.05',
      Longitude: '-0.5',
      weight: '1.50',
      count: '12',
      link: 'https://a.example/b',
      mail: 'a@b.example',
      key: 'a-key',
    }
    for (const [label, text] of Object.entries(typed)) {
      const field = editor.getByLabel(label, { exact: true })
      await field.pressSequentially(text)
      expect(await field.inputValue(), label).toBe(text)
    }
    await editor.getByLabel('sold', { exact: true }).selectOption('Yes')
    await editor.getByLabel('made', { exact: true }).fill('2026-11-28T09:30')
    await editor.getByLabel('ink', { exact: true }).pressSequentially('#8a5c00')
    const json = editor.getByLabel('notes', { exact: true })
    await json.pressSequentially('{"a": [1')
    await editor.getByText('This is not JSON yet.').waitFor()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.getByRole('alert').getByText('is not JSON yet').waitFor()
    await json.pressSequentially(', 2]}')
    expect(await json.inputValue()).toBe('{"a": [1, 2]}')
    await save(editor)
    const { fields } = await world.api.items.get({ configId, id })
    expect(fields).toEqual({
      place: { lat: 52.05, lng: -0.5 },
      notes: { a: [1, 2] },
      ink: '#8a5c00',
      made: await editor.evaluate("new Date('2026-11-28T09:30').getTime()"),
      weight: 1.5,
      count: 12,
      sold: true,
      link: 'https://a.example/b',
      mail: 'a@b.example',
      key: 'a-key',
    })
    // What somebody else wrote is in the control as well.
    await world.api.items.update({ configId, id, fields: { notes: { b: 3 }, place: { lat: 1, lng: 2 } } })
    await editor.getByLabel('weight', { exact: true }).pressSequentially('1')
    await save(editor)
    // An object is merged.
    expect(JSON.parse(await json.inputValue())).toEqual({ a: [1, 2], b: 3 })
    expect(await editor.getByLabel('Latitude', { exact: true }).inputValue()).toBe('1')
    await json.fill('{')
    await editor.getByRole('button', { name: 'Discard what is not saved' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Discard what is not saved' }).click()
    await expect.poll(() => json.inputValue()).toContain('"b": 3')
    await world.api.items.delete({ configId, id })
    await world.api.types.delete({ id: 'instrument' })
  })

  it('says when an item is to be published, and cancels that', async () => {
    const { id } = await anArticle('For next year')
    await open(editor, `/${id}`, 'For next year')
    await editor.getByRole('button', { name: 'Publish', exact: true }).click()
    const question = editor.getByRole('alertdialog')
    await question.getByLabel('Later, at').fill('2001-01-02T08:00')
    await question.getByText('This time is over.').waitFor()
    expect(await question.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await question.getByLabel('Later, at').fill('2099-01-02T08:00')
    await question.getByRole('button', { name: 'Publish' }).click()
    await editor.getByText('It will be published on').waitFor()
    await world.api.items.unpublish({ configId, id, at: new Date('2099-02-03').getTime() })
    await editor.reload()
    await editor.getByText('It will be published on').waitFor()
    const later = editor.locator('.row', { hasText: 'It will be unpublished on' }).last()
    await later.getByRole('button', { name: 'Cancel this' }).click()
    await later.waitFor({ state: 'detached' })
    await expect.poll(() => editor.evaluate('document.activeElement === document.body')).toBe(false)
    expect(await world.api.items.schedule({ configId, id })).toEqual({
      publish: { at: expect.any(Number) },
      unpublish: null,
    })
    await world.api.items.delete({ configId, id })
  })

  it('runs nothing of what people wrote, in any field', async () => {
    const payload =
      '<img src=x onerror="window.ran=1"><script>window.ran=1</script>"><svg onload=window.ran=1>{{7*7}}'
    const { id } = await anArticle(payload, { summary: payload, topics: [payload], body: payload })
    for (const path of ['', `?text=onerror`, `/${id}`, `/${id}/versions`, `/${id}/uses`]) {
      await editor.goto(at(path))
      await editor.getByRole('heading', { level: 1 }).waitFor()
      await editor.waitForLoadState('networkidle')
      expect(await editor.evaluate('window.ran'), path).toBeUndefined()
    }
    await world.api.items.delete({ configId, id })
  })

  it.each([
    ['reads', ['items.read', 'queries.run', 'admin.types.view']],
    ['changes', ['items.read', 'queries.run', 'admin.types.view', 'items.update']],
    ['publishes', ['items.read', 'queries.run', 'admin.types.view', 'items.update', 'items.publish']],
    [
      'creates and deletes',
      ['items.read', 'queries.run', 'admin.types.view', 'items.create', 'items.delete'],
    ],
  ] as const)('offers somebody who %s only what they may do', async (kind, keys) => {
    const page = await world.as(keys)
    const { id, name } = await world.api.items.getBySlug({ configId, slug: 'small-capitals' })
    await open(page, '', 'Content')
    const offered = async (name: string) => {
      await page.waitForLoadState('networkidle')
      return page.getByRole('button', { name, exact: true }).first().isEnabled()
    }
    expect(await offered('New item')).toBe(kind === 'creates and deletes')
    await open(page, `/${id}`, String(name))
    expect([await offered('Save'), await offered('Unpublish'), await offered('Delete')]).toEqual([
      kind === 'changes' || kind === 'publishes',
      kind === 'publishes',
      kind === 'creates and deletes',
    ])
    await page.close()
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    const { id } = await ink()
    await lookAt(
      editor,
      {
        content: '?type=article',
        editor: `/${id}`,
        translation: `/${id}?locale=de`,
        versions: `/${id}/versions`,
        uses: `/${id}/uses`,
        folders: '/../folders',
        categories: '/../categories',
      },
      at,
    )
    expect(await editor.title()).toBe('Categories · Quire')
  })

  it('puts an item into a folder and categories, and a file into a field', async () => {
    const { api } = world
    const folder = await api.folders.create({ configId, name: 'Drawer' })
    const taxonomy = await api.taxonomies.create({ configId, name: 'Trades' })
    await api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Binding' })
    const { id } = await anArticle('In its place')
    await open(editor, `/${id}`, 'In its place')
    await editor.getByText('Folder and categories').click()
    await editor.getByLabel('Folder', { exact: true }).selectOption('Drawer')
    await editor.getByLabel('Binding').check()
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await editor
      .locator('.drop input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: picture })
    await editor.locator('.picked', { hasText: 'dot' }).waitFor()
    await save(editor)
    const { folderId, taxonomies, fields } = await api.items.get({ configId, id })
    expect([folderId, taxonomies?.map(({ name }) => name)]).toEqual([folder.id, ['Trades']])
    expect(fields?.['cover']).toMatch(/^CONT_/)
  })

  it('edits HTML as people see it, and as source what an editor would change', async () => {
    const { api } = world
    await api.types.create({ name: 'note', fields: [{ name: 'body', kind: 'richText', label: 'Body' }] })
    const aNote = (name: string, body: string) =>
      api.items.create({ repositoryId: configId, type: 'note', name, fields: { body } })
    const bodyOf = async (id: string) => (await api.items.get({ configId, id })).fields?.['body']
    const list =
      '<h2>Tools</h2>\n<ul><li>A <strong>knife</strong></li><li><a href="https://example.org/">Bone</a></li></ul>\n<p>End.</p>'
    const { id } = await aNote('Tools', list)
    await open(editor, `/${id}`, 'Tools')
    await editor.getByRole('button', { name: 'Edit the text' }).click()
    const text = editor.getByRole('textbox', { name: 'Body' })
    await text.locator('h2').waitFor()
    await editor.getByText('All is saved.').waitFor()
    await text.press('Control+End')
    await text.pressSequentially(' And <b>glue</b>', { delay: 20 })
    await editor.getByRole('button', { name: 'Bold' }).click()
    await text.pressSequentially(', warm', { delay: 20 })
    await save(editor)
    expect(await bodyOf(id)).toBe(
      '<h2>Tools</h2><ul><li>A <strong>knife</strong></li><li><a href="https://example.org/">Bone</a></li></ul><p>End. And &lt;b&gt;glue&lt;/b&gt;<strong>, warm</strong></p>',
    )
    const table = '<table><tbody><tr><td>Cell</td></tr></tbody></table>'
    const other = await aNote('Table', table)
    await open(editor, `/${other.id}`, 'Table')
    await editor.getByRole('button', { name: 'Edit the text' }).click()
    await editor.getByText('would change this HTML').waitFor()
    expect(await editor.getByLabel('Body').inputValue()).toBe(table)
    await editor.getByText('All is saved.').waitFor()
    const hostile = await aNote('Hostile', '<p>x</p>')
    await open(editor, `/${hostile.id}`, 'Hostile')
    await editor.getByRole('button', { name: 'Edit the source' }).click()
    await editor
      .getByLabel('Body')
      .fill('<p>y</p><img src=x onerror="window.ran=1"><script>window.ran=1</script>')
    await editor.getByRole('button', { name: 'Edit the text' }).click()
    await editor.getByText('would change this HTML').waitFor()
    expect(await editor.evaluate('window.ran')).toBeUndefined()
    await editor.getByRole('button', { name: 'Discard' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await editor.getByText('All is saved.').waitFor()
  })

  it('moves folders and categories by drag, by keyboard and by choosing', async () => {
    const { api } = world
    const trees = (path: string) => `${world.url}/console/magazine/${path}`
    const parentOf = async (name: string) => {
      const { items } = await api.folders.tree({ configId })
      const folder = items.find((one) => one.name === name)
      return items.find(({ id }) => id === folder?.parentId)?.name ?? null
    }
    await editor.goto(trees('folders'))
    for (const name of ['Aa', 'Bb', 'Cc']) {
      await editor.getByLabel('New at the top').fill(name)
      await editor.getByRole('button', { name: 'Create' }).click()
      await editor.getByRole('row', { name }).waitFor()
    }
    await editor.getByRole('row', { name: 'Aa' }).click()
    await editor.getByLabel('New in Aa').fill('Inner')
    await editor.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => parentOf('Inner')).toBe('Aa')
    await editor.getByRole('row', { name: 'Bb' }).dragTo(editor.getByRole('row', { name: 'Cc' }))
    await expect.poll(() => parentOf('Bb')).toBe('Cc')
    await editor.getByRole('row', { name: 'Inner' }).click()
    await editor.getByLabel('Inside').selectOption('Cc')
    await expect.poll(() => parentOf('Inner')).toBe('Cc')
    await editor.getByLabel('Name').fill('Innermost')
    await editor.getByRole('button', { name: 'Rename' }).click()
    await editor.getByRole('row', { name: 'Innermost' }).waitFor()
    await editor.getByRole('row', { name: 'Innermost' }).click()
    await editor.keyboard.press('Home')
    await editor.keyboard.press('ArrowRight')
    await editor.keyboard.press('Enter')
    for (let presses = 0; presses < 20; presses += 1) {
      const target = await editor.evaluate(
        `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.closest('[role=row]')?.textContent ?? ''`,
      )
      if (/on Cc|Drop on Cc/.test(String(target))) break
      await editor.keyboard.press('ArrowDown')
    }
    await editor.keyboard.press('Enter')
    await expect.poll(() => parentOf('Aa')).toBe('Cc')
    await editor.getByRole('row', { name: 'Aa' }).click()
    await editor.getByRole('button', { name: 'Delete' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await editor.getByRole('row', { name: 'Aa' }).waitFor({ state: 'detached' })
    await editor.goto(trees('categories'))
    await editor.getByLabel('New taxonomy').fill('Seasons')
    await editor.locator('form', { hasText: 'New taxonomy' }).getByRole('button', { name: 'Create' }).click()
    const seasons = editor.locator('section', { hasText: 'Seasons' })
    await seasons.getByLabel('New at the top').fill('Winter')
    await seasons.getByRole('button', { name: 'Create' }).click()
    await seasons.getByRole('row', { name: 'Winter' }).waitFor()
    for (const name of ['Autumn', 'Spring']) {
      await seasons.getByLabel('New at the top').fill(name)
      await seasons.getByRole('button', { name: 'Create' }).click()
      await seasons.getByRole('row', { name }).waitFor()
    }
    const { items } = await api.taxonomies.list({ configId })
    const taxonomyId = items.find(({ name }) => name === 'Seasons')?.id ?? ''
    const inOrder = async () =>
      (await api.categories.list({ configId, taxonomyId })).items.map(({ name }) => name).join()
    expect(await inOrder()).toBe('Autumn,Spring,Winter')
    const winter = seasons.getByRole('row', { name: 'Winter' })
    // Near its upper edge: before it, not into it.
    await seasons.getByRole('row', { name: 'Autumn' }).dragTo(winter, { targetPosition: { x: 60, y: 2 } })
    await expect.poll(inOrder).toBe('Spring,Autumn,Winter')
    // Near the lower edge of the last one: after it.
    const { height } = (await winter.boundingBox()) ?? { height: 0 }
    await seasons
      .getByRole('row', { name: 'Spring' })
      .dragTo(winter, { targetPosition: { x: 60, y: height - 2 } })
    await expect.poll(inOrder).toBe('Autumn,Winter,Spring')
    await seasons
      .getByRole('row', { name: 'Spring' })
      .dragTo(seasons.getByRole('row', { name: 'Autumn' }), { targetPosition: { x: 60, y: 2 } })
    await expect.poll(inOrder).toBe('Spring,Autumn,Winter')
    await winter.click()
    await seasons.getByLabel('New in Winter').fill('January')
    await seasons.getByRole('button', { name: 'Create' }).click()
    const january = seasons.getByRole('row', { name: 'January' })
    await january.dragTo(seasons.getByRole('row', { name: 'Spring' }), { targetPosition: { x: 60, y: 2 } })
    await expect.poll(inOrder).toBe('January,Spring,Autumn,Winter')
    const drop = async () => {
      await seasons.getByRole('button', { name: 'Delete' }).first().click()
      await editor.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    }
    await drop()
    await seasons.getByRole('alert').getByText('recursive').waitFor()
    const categories = await api.categories.list({ configId, taxonomyId })
    for (const { id } of categories.items) await api.categories.delete({ configId, taxonomyId, id })
    await editor.reload()
    await drop()
    await seasons.waitFor({ state: 'detached' })
  })

  it('counts rights on one type and in one language', async () => {
    const { id } = await world.api.items.getBySlug({ configId, slug: 'small-capitals' })
    const [about] = (await world.api.items.list({ configId, type: 'page' })).items
    const reads = ['items.read', 'queries.run', 'admin.types.view'] as const
    const german = await world.as(reads, { '@de': ['items.update'] })
    await german.goto(at(`/${id}?locale=de`))
    await german.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await expect.poll(() => german.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true)
    await german.getByLabel('Language of the content').selectOption('en')
    await expect.poll(() => german.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false)
    expect(await german.getByLabel('Summary').isDisabled()).toBe(true)
    await german.close()
    const articles = await world.as(reads, { ':article': ['items.update'] })
    await articles.goto(at(`/${id}`))
    await expect
      .poll(() => articles.getByRole('button', { name: 'Save', exact: true }).isEnabled())
      .toBe(true)
    await articles.goto(at(`/${String(about?.id)}`))
    await articles.getByText('You need the permission items.update.').waitFor()
    await articles.close()
  })

  it('saves a query, and opens it again', async () => {
    await open(editor, '?type=article&status=draft&sort=name', 'Content')
    await editor.getByRole('button', { name: 'Save this query' }).click()
    await editor.getByLabel('Name of the query').fill('drafts-by-name')
    await editor.locator('form.panel').getByRole('button', { name: 'Save this query' }).click()
    await editor.getByLabel('Saved query').waitFor()
    await open(editor, '', 'Content')
    await editor.getByLabel('Saved query').selectOption('drafts-by-name')
    await expect.poll(() => new URL(editor.url()).search).toBe('?type=article&status=draft&sort=name')
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults.join('\n')).toBe('')
  })
})
