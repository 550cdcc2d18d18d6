import { createClient } from '@quire/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { openWorld, type World } from '../workflow/world.ts'
import { type ConsoleWorld, everything, openConsole } from './world.ts'

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(isMissing)('the console with a review engine and an agent', () => {
  let reviewed: World
  let world: ConsoleWorld
  let editor: Page

  beforeAll(async () => {
    reviewed = await openWorld({ timeoutMs: 5000 })
    const { served, client: api } = reviewed
    world = await openConsole({ url: served.url, api, stop: () => reviewed.close() })
    editor = await world.as(everything)
  }, 240_000)

  afterAll(() => world.stop(), 60_000)

  const view = async (path: string, heading: string) => {
    await editor.goto(`${world.url}/console/magazine/packages${path}`)
    await editor.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }

  it('starts a review, and acts at its steps', async () => {
    const packageName = await reviewed.aPackage()
    await view(`/${encodeURIComponent(packageName)}`, packageName)
    const engine = editor.locator('section.panel')
    await engine.getByRole('button', { name: 'Start' }).click()
    await engine.locator('[aria-current=step]').waitFor()
    await editor.locator('.badge.inReview').waitFor()
    const before = await engine.locator('[aria-current=step]').innerText()
    await engine.getByLabel('Comment').fill('Well written.')
    await engine.getByRole('button', { name: 'Approve' }).click()
    await expect
      .poll(
        async () =>
          (await world.api.workflow.get({ repo: 'magazine', packageName })).workflowInfo?.currentStep,
      )
      .not.toBe(before.toLowerCase())
    await engine.getByText('History').click()
    await engine.getByText('Well written.').waitFor()
    expect(reviewed.engine.accepted.length).toBe(2)
  })

  it('shows the packages of agents, and takes back what one did after it was shown', async () => {
    const { id: roleId } = await world.api.roles.create({ name: 'Agents', bundles: ['bundle.contributor'] })
    const { id: clientId, secret: clientSecret } = await world.api.serviceAccounts.create({
      name: 'Scribe',
      roles: [roleId],
      branchOnly: true,
    })
    const agent = createClient({ baseUrl: world.url, auth: { clientId, clientSecret } })
    const person = await reviewed.aPackage()
    for (const name of ['agent/scribe/1', 'agent/scribe/2'])
      await agent.packages.create({ repo: 'magazine', name })
    await view('', 'Packages')
    await editor.getByLabel('Only of agents').check()
    await editor.getByRole('link', { name: 'agent/scribe/2' }).waitFor()
    await expect.poll(() => editor.getByRole('link', { name: person }).count()).toBe(0)
    expect(new URL(editor.url()).search).toContain('agent=')
    await editor.getByRole('link', { name: 'agent/scribe/1' }).click()
    await editor.getByRole('heading', { level: 1, name: 'agent/scribe/1' }).waitFor()
    expect(new URL(editor.url()).pathname).toBe('/console/magazine/packages/agent%2Fscribe%2F1')
    await editor.reload()
    await editor.getByText('Agent Scribe').first().waitFor()
    await editor.getByRole('button', { name: 'Take back all that Scribe did' }).click()
    const question = editor.getByRole('alertdialog')
    await question.getByText('agent/scribe/2').waitFor()
    expect((await world.api.packages.get({ repo: 'magazine', packageName: 'agent/scribe/2' })).state).toBe(
      'open',
    )
    await question.getByRole('button', { name: 'Take back all that Scribe did' }).click()
    await question.waitFor({ state: 'detached' })
    const left = await world.api.packages.list({ repo: 'magazine', agent: '*' })
    expect(left.items.map(({ name }) => name)).toEqual([])
    expect((await world.api.packages.get({ repo: 'magazine', packageName: person })).state).toBe('open')
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
