import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { pressUntil } from './ways.ts'
import { type ConsoleWorld, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

describe.skipIf(isMissing)('the service in the console', () => {
  let world: ConsoleWorld
  let operator: Page
  let receiver: Server
  const received: string[] = []
  const at = (path: string) => `${world.url}/console/-${path}`
  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor()
  }
  const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

  beforeAll(async () => {
    world = await startConsole()
    receiver = createServer((request, response) => {
      received.push(request.url ?? '')
      request.resume()
      response.end('Thanks')
    }).listen(0, '127.0.0.1')
    operator = await world.asNobody()
    operator.setDefaultTimeout(15_000)
    const id = 'operator@deckle.example'
    const role = await world.api.roles.create({ name: 'Operator', bundles: ['bundle.administrator'] })
    await world.api.users.create({ id, name: 'Odile Operator', roles: [role.id] })
    const link = await world.api.users.createSignInLink({ id })
    await operator.goto(`${link.url}&returnTo=%2Fconsole%2F`)
    await operator.getByRole('heading', { level: 1 }).waitFor()
  }, 240_000)

  afterAll(async () => {
    receiver.close()
    await world.stop()
  }, 60_000)

  it('shows what a change of a type means for items, and applies exactly that', async () => {
    const { types } = await world.api.schema.get({})
    const article = types.find(({ name }) => name === 'article')
    await operator.goto(`${world.url}/console/`)
    await operator.getByRole('link', { name: 'Service' }).click()
    await operator.getByLabel('Content type').selectOption('article')
    const source = operator.locator('textarea.source')
    await expect.poll(() => source.inputValue()).toContain('"article"')
    await source.fill('{ no')
    await operator.getByRole('button', { name: 'Show the plan' }).click()
    await operator.getByText('This is no JSON.').waitFor()
    const fields = article?.fields.filter(({ name }) => name !== 'readingMinutes') ?? []
    await source.fill(
      JSON.stringify({ ...article, fields: [...fields, { name: 'mood', kind: 'text', label: 'Mood' }] }),
    )
    await operator.reload()
    await operator.getByText('Not applied yet. It is kept in this browser.').waitFor()
    await operator.getByRole('button', { name: 'Show the plan' }).click()
    await operator.getByText(/items are converted in a new version each/).waitFor()
    await operator.getByRole('listitem').filter({ hasText: 'mood' }).getByText('New').waitFor()
    expect(await operator.getByRole('button', { name: 'Apply this plan' }).isDisabled()).toBe(true)
    await operator.getByLabel('Convert these items').check()
    await operator.getByRole('button', { name: 'Apply this plan' }).click()
    await expect
      .poll(async () =>
        (await world.api.types.get({ id: 'article' })).fields.map(({ name }) => name).includes('mood'),
      )
      .toBe(true)
    await expect.poll(() => operator.getByText('Not applied yet.').count()).toBe(0)
  })

  it('creates people, gives them roles, and says why they may', async () => {
    await open(operator, '/people', 'People and rights')
    await operator.getByRole('button', { name: 'New', exact: true }).click()
    await operator.getByLabel('Id').fill('wren@deckle.example')
    await operator.getByLabel('Name', { exact: true }).fill('Wren Writer')
    await operator.getByRole('button', { name: 'Create' }).click()
    const panel = operator.getByRole('region', { name: 'The chosen one' })
    await panel.getByText('No.', { exact: true }).waitFor()
    await panel.getByLabel('Operator', { exact: true }).check()
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Yes.', { exact: true }).waitFor()
    await panel.getByText('bundle.administrator').waitFor()
    const [role] = (await world.api.users.get({ id: 'wren@deckle.example' })).roles
    expect((await world.api.roles.get({ id: role ?? '' })).name).toBe('Operator')
    await panel.getByRole('button', { name: 'Make a sign-in link' }).click()
    const url = await panel.locator('code', { hasText: '/api/' }).innerText()
    const guest = await world.asNobody()
    await guest.goto(url)
    await guest.getByText('Signed in as Wren Writer').waitFor()
  })

  it('shows the secret of a new service account once', async () => {
    await open(operator, '/people?kind=serviceAccounts', 'People and rights')
    await operator.getByRole('button', { name: 'New', exact: true }).click()
    await operator.getByLabel('Name', { exact: true }).fill('Nightly import')
    await operator.getByRole('button', { name: 'Create' }).click()
    const secret = await operator.locator('p.panel code').innerText()
    const { items } = await world.api.serviceAccounts.list()
    const { id } = items.find(({ name }) => name === 'Nightly import') ?? { id: '' }
    const { access_token: token } = await world.api.auth.token({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    expect(token).toEqual(expect.any(String))
    await operator.reload()
    await operator.getByRole('link', { name: 'Nightly import' }).waitFor()
    expect(await operator.getByText(secret).count()).toBe(0)
    await operator.getByRole('link', { name: 'Nightly import' }).click()
    const panel = operator.getByRole('region', { name: 'The chosen one' })
    await panel.getByText('No.', { exact: true }).waitFor()
    await panel.getByLabel('Operator', { exact: true }).check()
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Yes.', { exact: true }).waitFor()
  })

  it('keeps what an administrator may not do, and says so', async () => {
    await open(operator, '/people?kind=roles', 'People and rights')
    await operator.getByRole('link', { name: 'Operator', exact: true }).click()
    const panel = operator.getByRole('region', { name: 'The chosen one' })
    await panel.getByRole('button', { name: 'Delete' }).click()
    await operator.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await panel.getByRole('alert').waitFor()
    expect((await world.api.roles.list()).items.some(({ name }) => name === 'Operator')).toBe(true)
  })

  it('creates a webhook by keyboard, tests it, and shows and repeats its deliveries', async () => {
    await open(operator, '/webhooks', 'Webhooks')
    await operator.getByRole('button', { name: 'New', exact: true }).focus()
    await operator.keyboard.press('Enter')
    await operator.getByLabel('Name', { exact: true }).focus()
    await operator.keyboard.type('Mirror')
    await operator.keyboard.press('Tab')
    await operator.keyboard.type(receiverUrl())
    await pressUntil(operator, 'Create')
    await operator.keyboard.press('Enter')
    await operator.getByRole('listitem').filter({ hasText: 'Mirror' }).waitFor()
    await operator.getByRole('button', { name: 'Send a test' }).click()
    await operator.getByRole('link', { name: 'Deliveries' }).click()
    const succeeded = operator.locator('.badge', { hasText: 'Succeeded' })
    await expect.poll(() => succeeded.count(), { timeout: 15_000 }).toBe(1)
    await operator.getByText('Thanks').waitFor()
    await operator.getByRole('button', { name: 'Send again' }).first().click()
    await expect.poll(() => succeeded.count(), { timeout: 15_000 }).toBe(2)
    expect(received).toEqual(['/', '/'])
    await operator.getByLabel('Sends', { exact: true }).click()
    await expect.poll(async () => (await world.api.webhooks.list({})).items[0]?.enabled).toBe(false)
  })

  it('shows the queue, the audit and the health of the service', async () => {
    await open(operator, '/queue', 'Queue')
    await operator.getByLabel('State').selectOption('succeeded')
    await expect
      .poll(async () => new Set(await operator.locator('.cards .badge').allInnerTexts()))
      .toEqual(new Set(['Succeeded']))
    await open(operator, '/audit', 'Audit')
    await operator.getByText('USER_CREATED').first().waitFor()
    await operator.getByText('by Odile Operator').first().waitFor()
    await open(operator, '/health', 'Health')
    await operator.getByText('Works').first().waitFor()
    await operator.getByText('Database', { exact: true }).waitFor()
  })

  it('offers what is held in one repository there alone', async () => {
    const { items } = await world.api.repositories.list()
    const docs = items.find(({ name }) => name !== configId)?.id ?? ''
    const url = receiverUrl()
    for (const repositoryId of [configId, docs])
      await world.api.webhooks.create({
        repositoryId,
        name: `Of ${repositoryId}`,
        url,
        events: ['ITEM_CREATED'],
      })
    const one = await world.as(['items.read', 'admin.webhooks.view', 'admin.webhooks.update'])
    await one.goto(at('/webhooks'))
    const test = (name: string) =>
      one.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Send a test' })
    await test(`Of ${docs}`).waitFor()
    expect(await test(`Of ${docs}`).isDisabled()).toBe(true)
    expect(await test(`Of ${configId}`).isDisabled()).toBe(false)
    await one.close()
  })

  it('offers nothing to those who may not', async () => {
    const writer = await world.as(['items.read', 'items.update', 'admin.types.view'])
    for (const [path, key] of [
      ['/people', 'security.users.view'],
      ['/webhooks', 'admin.webhooks.view'],
      ['/queue', 'queue.view'],
      ['/audit', 'security.audit.view'],
      ['/health', 'admin.settings.view'],
    ] as const) {
      await writer.goto(at(path))
      await writer.getByText(`You need the permission ${key}.`).first().waitFor()
    }
    await writer.goto(at('?type=article'))
    await writer.locator('textarea.source').waitFor()
    expect(await writer.getByRole('button', { name: 'Show the plan' }).isDisabled()).toBe(true)
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    const [webhook] = (await world.api.webhooks.list()).items
    await lookAt(
      operator,
      {
        repositories: '/../',
        types: '?type=article',
        people: '/people?id=wren%40deckle.example',
        roles: '/people?kind=roles',
        webhooks: '/webhooks',
        deliveries: `/webhooks?id=${webhook?.id ?? ''}`,
        queue: '/queue',
        audit: '/audit',
        health: '/health',
      },
      at,
    )
    expect((await world.api.repositories.get({ id: configId })).name).toBe(configId)
  })

  it('runs nothing of what people wrote, in any view', async () => {
    const payload = '<img src=x onerror="window.ran=1">"><svg onload=window.ran=1>{{7*7}}'
    const role = await world.api.roles.create({ name: payload, description: payload })
    const user = await world.api.users.create({ id: 'xss@deckle.example', name: payload, roles: [role.id] })
    await world.api.groups.create({ name: payload, description: payload, users: [user.id] })
    await world.api.serviceAccounts.create({ name: payload, roles: [role.id] })
    await world.api.types.create({
      name: 'hostile',
      displayName: payload,
      fields: [{ name: 'a', kind: 'text', label: payload, help: payload }],
    })
    await world.api.webhooks.create({
      repositoryId: configId,
      name: payload,
      url: 'http://127.0.0.1:9/',
      events: ['ITEM_CREATED'],
      payloadSize: 'custom',
      template: payload,
    })
    for (const path of [
      '?type=hostile',
      `/people?id=${encodeURIComponent(user.id)}`,
      '/people?kind=groups',
      `/people?kind=roles&id=${role.id}`,
      '/people?kind=serviceAccounts',
      '/webhooks',
      '/queue',
      '/audit',
      '/health',
    ]) {
      await operator.goto(at(path))
      await operator.getByRole('heading', { level: 1 }).waitFor()
      await operator.waitForLoadState('networkidle')
      if (!['/queue', '/health'].includes(path))
        await operator.getByText('{{7*7}}').first().waitFor({ state: 'attached' })
      expect(await operator.evaluate('window.ran'), path).toBeUndefined()
    }
    await world.api.types.delete({ id: 'hostile' })
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
