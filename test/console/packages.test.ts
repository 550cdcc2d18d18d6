import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { pressUntil } from './ways.ts'
import { changedPackage, type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(isMissing)('the console in a browser', () => {
  let world: ConsoleWorld
  let editor: Page
  const at = (path: string) => `${world.url}/console/magazine/packages${path}`

  beforeAll(async () => {
    world = await startConsole()
    editor = await world.as(everything)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  const view = async (page: Page, path: string, heading: string) => {
    await page.goto(at(path))
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
  }

  it('asks who somebody is at any address, and leads back there', async () => {
    const page = await world.asNobody()
    await page.goto(at('/winter-issue/changes'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('no identity provider').waitFor()
    await page.getByLabel('Access token').fill('wrong')
    await page.getByRole('button', { name: 'Open a session' }).click()
    await page.getByText('not valid').waitFor()
    const account = await world.api.serviceAccounts.create({ name: 'By token', roles: [] })
    const form = { grant_type: 'client_credentials', client_id: account.id, client_secret: account.secret }
    const answer = await fetch(`${world.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    await page.getByLabel('Access token').fill(token)
    await page.getByRole('button', { name: 'Open a session' }).click()
    await page.getByText('Signed in as By token').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/magazine/packages/winter-issue/changes')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('shows what a package changes, member by member and page by page', async () => {
    await editor.goto(`${world.url}/console/`)
    // There are two repositories, of which a person with rights in one sees that one.
    await editor.getByRole('link', { name: 'winter-issue' }).click()
    await editor.getByText('Waits for review').first().waitFor()
    await editor.getByRole('link', { name: 'Changes' }).click()
    const ink = editor.getByRole('article').filter({ hasText: 'Ink that remembers' })
    await ink.locator('ins', { hasText: 'and the patient had to be a pig' }).waitFor()
    expect(await ink.locator('del').count()).toBeGreaterThan(0)
    await ink.getByRole('button', { name: 'Comment on “Ink that remembers”' }).click()
    await ink.getByRole('textbox').fill('A pig?')
    await ink.getByRole('button', { name: 'Comment', exact: true }).click()
    await ink.getByText('Your comment is in the review.').waitFor()
    const { items } = await world.api.packages.comments({ repo: 'magazine', packageName: 'winter-issue' })
    expect(items.at(-1)).toMatchObject({ body: 'A pig?', entity: { name: 'Ink that remembers' } })
    await editor.getByRole('link', { name: 'Pages' }).click()
    const pages = editor.frameLocator('iframe')
    await pages.getByRole('link', { name: 'What the frost wrote' }).first().waitFor()
    await editor.getByLabel('Pages', { exact: true }).selectOption('move')
    await pages.locator('nav li', { hasText: 'Moved' }).first().waitFor()
    expect(await pages.locator('nav li', { hasText: 'New page' }).count()).toBe(0)
  })

  it('goes from a conflict to the merge and back, by mouse', async () => {
    const { id, packageName } = await changedPackage(world, 'by-mouse')
    await world.api.items.update({ configId: 'magazine', id, fields: { readingMinutes: 4 } })
    await view(editor, `/${packageName}/merge`, packageName)
    await editor.getByRole('link', { name: 'Resolve the conflicts' }).click()
    await editor.getByRole('radio', { name: 'Something else' }).check({ force: true })
    await editor.getByLabel('What shall be there').fill('6')
    await editor.getByRole('button', { name: 'Bring main into the package' }).click()
    await editor.getByText('No conflicts').waitFor()
    await editor.getByRole('link', { name: 'Review' }).click()
    await editor.getByRole('textbox', { name: 'Comment' }).fill('Six minutes it is.')
    await editor.getByRole('button', { name: 'Approve' }).click()
    await editor.getByText('Six minutes it is.').waitFor()
    await editor.locator('.badge.approved').waitFor()
    await editor.getByRole('link', { name: 'Merge', exact: true }).click()
    await editor.getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByText('Merged by Person').waitFor()
    const merged = await world.api.items.get({ configId: 'magazine', id })
    expect(merged.fields).toMatchObject({ readingMinutes: 6 })
    await editor.getByRole('button', { name: 'Revert this merge' }).click()
    await editor.getByRole('heading', { level: 1, name: `revert-${packageName}` }).waitFor()
    await editor.getByRole('link', { name: 'Merge', exact: true }).click()
    await editor.getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByText('Merged by Person').waitFor()
    expect((await world.api.items.get({ configId: 'magazine', id })).fields).toMatchObject({
      readingMinutes: 4,
    })
  })

  it('merges only what it has shown: after a change there is a new plan first', async () => {
    const { id, packageName } = await changedPackage(world, 'planned', { fields: { readingMinutes: 12 } })
    await view(editor, `/${packageName}/merge`, packageName)
    await editor.getByRole('button', { name: 'Merge into main' }).waitFor()
    await world.api.items.update({ configId: 'magazine', packageName, id, name: 'Ink that stays' })
    await editor.getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByRole('alert').waitFor()
    expect((await world.api.packages.get({ repo: 'magazine', packageName })).state).toBe('open')
    await editor.getByText('Ink that stays').waitFor()
    await editor.getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Merge into main' }).click()
    await editor.getByText('Merged by Person').waitFor()
    await world.api.items.update({ configId: 'magazine', id, name: 'Ink that remembers' })
  })

  it('merges by keyboard alone', async () => {
    const { packageName } = await changedPackage(world, 'by-keyboard', { fields: { readingMinutes: 11 } })
    await view(editor, '', 'Packages')
    await pressUntil(editor, packageName)
    await editor.keyboard.press('Enter')
    await editor.getByRole('heading', { level: 1, name: packageName }).waitFor()
    await pressUntil(editor, 'Merge')
    await editor.keyboard.press('Enter')
    await editor.getByRole('button', { name: 'Merge into main' }).waitFor()
    await pressUntil(editor, 'Merge into main')
    await editor.keyboard.press('Enter')
    await editor.getByRole('alertdialog').waitFor()
    await pressUntil(editor, 'Merge into main')
    await editor.keyboard.press('Enter')
    await editor.getByText('Merged by Person').waitFor()
    expect((await world.api.packages.get({ repo: 'magazine', packageName })).state).toBe('merged')
  })

  it('takes no change in a package that is merged', async () => {
    const { id, packageName } = await changedPackage(world, 'over', { fields: { readingMinutes: 13 } })
    await world.api.packages.merge({ repo: 'magazine', packageName })
    await editor.goto(`${world.url}/console/magazine/content/${id}?in=${packageName}`)
    await editor.getByText(`${packageName} is “Merged”: nothing can be changed in it.`).first().waitFor()
    expect(await editor.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  })

  it('loses nothing that is typed: not by a reload, another view, a lost network or the end of a session', async () => {
    const page = await world.as(everything)
    const { packageName } = await changedPackage(world, 'typing')
    const field = page.getByRole('textbox', { name: 'Comment' })
    const typed = async (text: string, happens?: () => Promise<unknown>) => {
      // 15 characters a second.
      const typing = field.pressSequentially(text, { delay: 66 })
      await happens?.()
      await typing
    }
    await view(page, `/${packageName}`, packageName)
    await typed('The first line. ', () =>
      world.api.packages.addComment({ repo: 'magazine', packageName, body: 'Somebody else' }),
    )
    await page.reload()
    await field.press('End')
    await typed('The second. ', () => page.context().setOffline(true))
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('alert').getByText('does not respond').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Conflicts' }).click()
    await page.getByText('No conflicts').waitFor()
    await page.getByRole('link', { name: 'Review' }).click()
    await field.press('End')
    await typed('The third.')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().addCookies(cookies)
    await page.reload()
    expect(await field.inputValue()).toBe('The first line. The second. The third.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByText('The first line. The second. The third.').first().waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    const { items } = await world.api.packages.comments({ repo: 'magazine', packageName })
    expect(items.map(({ body }) => body)).toEqual(['Somebody else', 'The first line. The second. The third.'])
  })

  it('keeps what is typed while a comment is sent, and deletes a package', async () => {
    const packageName = 'in-a-hurry'
    await world.api.packages.create({ repo: 'magazine', name: packageName })
    await view(editor, `/${packageName}`, packageName)
    const comment = editor.getByRole('textbox', { name: 'Comment' })
    let arrive: () => void = () => undefined
    const held = new Promise<void>((resolve) => (arrive = resolve))
    await editor.route('**/comments', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await comment.fill('First')
    await editor.getByRole('button', { name: 'Comment', exact: true }).click()
    await comment.fill('First, and a second thought')
    arrive()
    await editor.getByText('First', { exact: true }).waitFor()
    expect(await comment.inputValue()).toBe('First, and a second thought')
    await editor.unroute('**/comments')
    await editor.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect.poll(() => comment.inputValue()).toBe('')
    await editor.getByRole('button', { name: 'Delete', exact: true }).click()
    await editor.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await editor.getByRole('heading', { level: 1, name: 'Packages' }).waitFor()
    const { items } = await world.api.packages.list({ repo: 'magazine', state: 'open' })
    expect(items.map(({ name }) => name)).not.toContain(packageName)
  })

  it('shows a package to somebody without an account, until the link is revoked', async () => {
    const { packageName } = await changedPackage(world, 'for a customer')
    await view(editor, `/${encodeURIComponent(packageName)}`, packageName)
    await editor.getByRole('button', { name: 'Share links' }).click()
    await editor.getByRole('button', { name: 'Create a link' }).click()
    const address = await editor.getByRole('link', { name: '/shared/' }).innerText()
    const stranger = await world.asNobody()
    await stranger.goto(address)
    await stranger.getByRole('heading', { name: packageName }).waitFor()
    await stranger.getByRole('link', { name: 'What changes on the pages' }).click()
    await stranger.frameLocator('iframe').first().locator('ins').first().waitFor()
    await stranger.goBack()
    await stranger.getByRole('link', { name: 'Deckle' }).click()
    await stranger.getByRole('link', { name: 'Ink that remembers' }).first().waitFor()
    // Those further down are loaded when they come into sight.
    const loaded = `[...document.images].filter(({ complete }) => complete).map(({ naturalWidth }) => naturalWidth > 0)`
    const outcomes = async () => {
      const pictures: boolean[] = await stranger.evaluate(loaded)
      return new Set(pictures)
    }
    await expect.poll(outcomes).toEqual(new Set([true]))
    await editor.getByRole('button', { name: 'Revoke' }).click()
    await editor.getByText('There is no link.').waitFor()
    await stranger.goto(address)
    await stranger.getByText('Ask for a new one.').waitFor()
    await stranger.close()
  })

  it('runs nothing of what people wrote', async () => {
    const payloads = [
      '<img src=x onerror="window.ran=1">',
      '<script>window.ran=1</script>',
      '"><svg onload=window.ran=1>',
      'javascript:window.ran=1',
      '</textarea><iframe srcdoc="<script>parent.ran=1</script>">',
      '{{constructor.constructor("window.ran=1")()}}',
    ]
    const { packageName, id } = await changedPackage(world, 'hostile', {
      name: payloads.join(' ').slice(0, 190),
      fields: { summary: payloads.join('\n').slice(0, 290) },
    })
    await world.api.packages.update({ repo: 'magazine', packageName, description: payloads.join(' ') })
    await world.api.packages.addComment({
      repo: 'magazine',
      packageName,
      body: payloads.join('\n'),
      entityId: id,
      path: 'name',
    })
    await world.api.items.update({ configId: 'magazine', id, fields: { readingMinutes: 5 } })
    for (const part of ['', '/changes', '/pages', '/conflicts', '/merge']) {
      await view(editor, `/${packageName}${part}`, packageName)
      await editor.waitForLoadState('networkidle')
      expect(await editor.evaluate('window.ran'), part).toBeUndefined()
      expect(await editor.locator('main').innerText()).toContain('onerror')
    }
    await world.api.packages.delete({ repo: 'magazine', packageName })
  })

  it('offers nothing to somebody who may do nothing', async () => {
    const page = await world.as([])
    await page.goto(at('/winter-issue'))
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await page.close()
  })

  it.each([
    ['reads', ['items.read', 'packages.view', 'packages.diff.view'], 'reads'],
    ['comments', ['items.read', 'packages.view', 'packages.diff.view', 'packages.comment'], 'comments'],
    [
      'merges',
      ['items.read', 'packages.view', 'packages.diff.view', 'packages.comment', 'packages.merge'],
      'merges',
    ],
    ['may do everything', everything, 'all'],
  ] as const)('offers somebody who %s only what they may do', async (_name, keys, kind) => {
    const page = await world.as(keys)
    await page.goto(at('/winter-issue'))
    await page.getByRole('heading', { name: 'Review', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    const offered = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true })
      return (await button.count()) > 0 && (await button.first().isEnabled())
    }
    expect([await offered('Comment'), await offered('Approve')]).toEqual([
      kind !== 'reads',
      kind === 'merges' || kind === 'all',
    ])
    if (kind === 'reads') await page.getByText('You need the permission packages.comment.').waitFor()
    if (kind === 'comments') await page.getByText('You need the permission packages.merge.').waitFor()
    await page.goto(at('/winter-issue/merge'))
    await page.getByRole('heading', { name: 'Merge', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await offered('Merge into main')).toBe(kind === 'merges' || kind === 'all')
    await page.goto(at(''))
    await page.getByRole('heading', { name: 'Packages', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await offered('New package')).toBe(kind === 'all')
    await page.close()
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    const { id, packageName } = await changedPackage(world, 'looks')
    await world.api.items.update({ configId: 'magazine', id, fields: { readingMinutes: 3 } })
    await world.api.packages.addComment({
      repo: 'magazine',
      packageName,
      body: 'Is it nine minutes?',
      entityId: id,
      path: 'fields.readingMinutes',
    })
    const views = {
      list: '',
      review: `/${packageName}`,
      changes: '/winter-issue/changes',
      pages: '/winter-issue/pages',
      conflicts: `/${packageName}/conflicts`,
      merge: '/winter-issue/merge',
    }
    await lookAt(editor, views, at)
    const stranger = await world.asNobody()
    await stranger.goto(at(''))
    await lookAt(stranger, { 'sign-in': '' }, at)
    await stranger.close()
    await editor.evaluate(`document.documentElement.dir = 'rtl'`)
    expect(await editor.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await editor.evaluate(`localStorage.setItem('quire.console.language', 'en')`)
    await editor.emulateMedia({ colorScheme: 'light' })
    await editor.setViewportSize({ width: 1280, height: 900 })
  })

  it('is small: at most 160 KB at first, and 100 KB more for a view', async () => {
    const page = await world.as(everything)
    const sizes = new Map<string, number>()
    /** What a new page loads of this service to show a view, in bytes of gzip, by address. */
    const loadedBy = async (path: string) => {
      await page.goto(`${world.url}/console/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const addresses: string[] = await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => name)`,
      )
      const own = new Set(addresses.filter((one) => one.includes('/console/assets/')))
      for (const address of [...own].filter((one) => !sizes.has(one)))
        sizes.set(address, gzipSync(await (await fetch(address)).text()).length)
      return own
    }
    const bytesOf = (addresses: Iterable<string>) =>
      [...addresses].reduce((sum, address) => sum + (sizes.get(address) ?? 0), 0)
    const { id } = await world.api.items.getBySlug({ configId: 'magazine', slug: 'ink-that-remembers' })
    const list = await loadedBy('magazine/packages')
    const html = gzipSync(await (await fetch(`${world.url}/console/`)).text()).length
    const first = html + bytesOf(list)
    const more: Record<string, number> = {}
    for (const [view, path] of Object.entries({
      changes: 'magazine/packages/winter-issue/changes',
      merge: 'magazine/packages/winter-issue/merge',
      content: 'magazine/content',
      editor: `magazine/content/${id}`,
      files: 'magazine/assets',
      folders: 'magazine/folders',
      sites: 'magazine/sites',
      service: '-',
    }))
      more[view] = bytesOf([...(await loadedBy(path))].filter((address) => !list.has(address)))
    console.log(`the console: ${first} bytes at first, gzip (goal: 163840); then ${JSON.stringify(more)}`)
    expect(first).toBeLessThanOrEqual(160 * 1024)
    for (const bytes of Object.values(more)) expect(bytes).toBeLessThanOrEqual(100 * 1024)
    expect(Math.min(...Object.values(more))).toBeGreaterThan(0)
    await page.close()
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
