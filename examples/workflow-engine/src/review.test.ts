import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEngine, type RunningEngine } from './engine.ts'
import { connectEngine, openDesk, type Desk } from './quire-desk.ts'

const secrets = { token: 'the token of the connection', signingSecret: 'the secret of the callbacks' }
const configId = 'magazine'
const packageName = 'winter-issue'
const review = { repositoryId: configId, packageName }
const reviewed = { repo: configId, packageName }

let folder: string
let desk: Desk
let engine: RunningEngine | undefined
let groups: Readonly<Record<'editors' | 'lawyers', string>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-review-'))
  desk = await openDesk(join(folder, 'quire.db'))
  groups = await prepareMagazine(desk)
})

afterEach(async () => {
  await engine?.close()
  engine = undefined
  await desk.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the engine with a time limit for legal reviews, and connects it. */
async function openEngine(legalReviewMs?: number): Promise<void> {
  engine = await startEngine({
    token: secrets.token,
    callback: { signingSecret: secrets.signingSecret },
    groups: { editorial: [groups.editors], legal: [groups.lawyers] },
    retryMs: 100,
    ...(legalReviewMs !== undefined && { legalReviewMs }),
  })
  await connectEngine(desk, engine, secrets)
}

it('takes a package from its start, through a rejection and a reassignment, to the merged and published page', async () => {
  await openEngine()
  const author = await desk.client('Author', { bundle: 'bundle.contributor' })
  const editor = await desk.client('Editor', { bundle: 'bundle.editor', groups: [groups.editors] })
  const lawyer = await desk.client('Lawyer', { bundle: 'bundle.editor', groups: [groups.lawyers] })
  const publisher = await desk.client('Publisher', { bundle: 'bundle.publisher' })
  await changeInPackage(author, 'A first try')
  expect(await step(author, 'start')).toEqual(['editorial', 'active'])
  await expect(changeInPackage(author, 'While it is reviewed')).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await expect(step(lawyer, 'approve')).rejects.toMatchObject({ code: 'workflow_failed' })
  expect(await step(editor, 'reject', 'Say more')).toEqual(['rework', 'active'])
  await changeInPackage(author, 'As it is to be')
  await expect(publisher.packages.merge(reviewed)).rejects.toMatchObject({ code: 'invalid_state' })
  const { identity } = await author.auth.myPermissions()
  await expect(step(author, 'approve')).rejects.toMatchObject({ code: 'forbidden' })
  expect(await step(publisher, 'approve')).toEqual(['editorial', 'active'])
  await expect(assign(publisher, identity.id)).rejects.toMatchObject({ code: 'workflow_failed' })
  expect(await step(editor, 'approve')).toEqual(['legal', 'active'])
  const { identity: reader } = await lawyer.auth.myPermissions()
  await assign(publisher, reader.id)
  expect((await lawyer.workflow.inbox({ repo: configId, assignee: 'me' })).count).toBe(1)
  expect((await step(lawyer, 'approve', 'Nobody will sue'))[1]).toBe('completed')
  await desk.quire.settled()
  expect(await desk.system.packages.get(reviewed)).toMatchObject({ state: 'merged' })
  // The engine's final callback may arrive after the merge and follow these entries.
  const acted = ['start', 'reject', 'approve', 'approve', 'assign', 'approve']
  expect((await actions())?.slice(0, acted.length)).toEqual(acted)
  await publisher.sites.publish({ configId, siteId: await siteId() })
  await desk.quire.settled()
  const page = await fetch(`${desk.address}/sites/magazine/articles/ink/`)
  expect(await page.text()).toContain('As it is to be')
})

it('records that the lawyers took too long and that the chief editor has decided', async () => {
  await openEngine(300)
  const publisher = await desk.client('Publisher', { bundle: 'bundle.publisher' })
  await changeInPackage(publisher, 'In time')
  await step(publisher, 'start')
  await step(publisher, 'approve')
  await vi.waitFor(async () => expect(await standing()).toEqual(['chief', 'active']), 20_000)
  await step(publisher, 'approve')
  await desk.quire.settled()
  await vi.waitFor(
    async () => expect((await desk.system.packages.get(reviewed)).state).toBe('merged'),
    20_000,
  )
  const acted = ['start', 'approve', 'status_update', 'approve']
  expect((await actions())?.slice(0, acted.length)).toEqual(acted)
})

it('deletes a package whose review is cancelled, and retains the history', async () => {
  await openEngine()
  const publisher = await desk.client('Publisher', { bundle: 'bundle.publisher' })
  await changeInPackage(publisher, 'Never mind')
  const { id } = await publisher.packages.get(reviewed)
  await step(publisher, 'start')
  await step(publisher, 'cancel')
  await expect(publisher.packages.get(reviewed)).rejects.toMatchObject({ code: 'not_found' })
  const { workflowInfo } = await publisher.workflow.get({ repo: configId, packageName: id })
  expect(workflowInfo?.history.map(({ action }) => action)).toEqual(['start', 'cancel'])
})

/** A magazine with a published one-page site, and the groups of its reviewers. */
async function prepareMagazine({ quire, system }: Desk) {
  await system.repositories.create({ name: configId, public: true })
  await system.types.create({ name: 'article', fields: [{ name: 'body', kind: 'text' }] })
  const fields = { body: 'As it was' }
  const item = await system.items.create({ repositoryId: configId, type: 'article', name: 'Ink', fields })
  await system.items.publish({ configId, id: item.id })
  const templates = { page: '<p>{{ item.fields.body }}</p>' }
  const site = await system.sites.create({ configId, name: 'Magazine', slug: 'magazine', templates })
  const onSite = { configId, siteId: site.id }
  const section = await system.sections.create({ ...onSite, name: 'Articles', slug: 'articles' })
  await system.pages.create({ ...onSite, sectionId: section.id, name: 'Ink', itemId: item.id })
  await system.sites.publish(onSite)
  await quire.settled()
  const role = await system.roles.create({ name: 'Reads the magazine', bundles: ['bundle.viewer'] })
  const group = async (name: string) => (await system.groups.create({ name, roles: [role.id] })).id
  return { editors: await group('Editors'), lawyers: await group('Lawyers') }
}

async function siteId(): Promise<string> {
  const { items } = await desk.system.sites.list({ configId })
  return items[0]?.id ?? ''
}

async function changeInPackage(api: Api, body: string): Promise<void> {
  const { count } = await api.packages.list({ repo: configId })
  if (count === 0) await api.packages.create({ repo: configId, name: packageName })
  const { id } = await api.items.getBySlug({ configId, slug: 'ink' })
  await api.items.update({ configId, id, packageName, fields: { body } })
}

/** Performs an action in the review. Returns the new step and status. */
async function step(api: Api, event: 'start' | 'approve' | 'reject' | 'cancel', comment?: string) {
  const { workflowInfo } = await api.workflow.event({ event, ...review, ...(comment && { comment }) })
  return [workflowInfo?.currentStep, workflowInfo?.status]
}

function assign(api: Api, userName: string) {
  return api.workflow.event({ event: 'assign', ...review, assignee: { userName } })
}

async function standing() {
  const { workflowInfo } = await desk.system.workflow.get(reviewed)
  return [workflowInfo?.currentStep, workflowInfo?.status]
}

async function actions() {
  const { workflowInfo } = await desk.system.workflow.get(reviewed)
  return workflowInfo?.history.map(({ action }) => action)
}
