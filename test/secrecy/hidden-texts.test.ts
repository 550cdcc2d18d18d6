import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../access/ask.ts'
import { administrator, administratorEnv, administratorToken } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { CanaryWatch } from './canary-watch.ts'
import { hiddenTextQuestions, type Scope } from './hidden-text-questions.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-hidden-texts-'))
const startMs = 60_000
const configId = 'magazine'
const packageName = 'spring-issue'

// Unique words, each in a different part of the unreadable content.
const watch = new CanaryWatch(() => server.url)
const canaries = [
  'nameazurite',
  'slugbismuth',
  'textcinnabar',
  'fielddolomite',
  'tagepidote',
  'filefluorite',
  'contentgarnet',
  'commenthematite',
  'draftilmenite',
  'packagejadeite',
  'titlekyanite',
  'brokenlazurite',
] as const

let server: ServerProcess
let api: Client
let scope: Scope
let insiderToken = ''
let readerToken = ''

beforeAll(async () => {
  const env = { ...administratorEnv, QUIRE_LOG: 'debug' }
  server = await startServer({ args: serveArgs(join(folder, 'data')), env, timeout: startMs })
  for (const canary of canaries) watch.plant(canary, canary)
  const { insider, reader, inner } = await makeAccounts()
  api = clientFor(insider)
  scope = await makeScope(inner)
  insiderToken = await administratorToken(server.url, insider)
  readerToken = await administratorToken(server.url, reader)
}, startMs)

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Credentials = Readonly<Record<'id' | 'secret', string>>

function clientFor({ id, secret }: Credentials): Client {
  return createClient({ baseUrl: server.url, auth: { clientId: id, clientSecret: secret } })
}

/**
 * Two accounts with all permissions but one, so that role lists apply to them. One belongs to an
 * inner circle.
 */
async function makeAccounts(): Promise<{ insider: Credentials; reader: Credentials; inner: string }> {
  const { roles, serviceAccounts } = clientFor(administrator)
  const { id: all } = await roles.create({
    name: 'All',
    bundles: ['bundle.administrator'],
    overrides: { grant: [], revoke: ['admin.repositories.crawl'] },
  })
  const { id: inner } = await roles.create({ name: 'Inner circle' })
  const insider = await serviceAccounts.create({ name: 'Insider', roles: [all, inner] })
  return { insider, reader: await serviceAccounts.create({ name: 'Reader', roles: [all] }), inner }
}

/** Items that only the inner circle may read, and related items. */
async function makeScope(inner: string): Promise<Scope> {
  const { items, folders, taxonomies, categories, savedQueries } = api
  await api.repositories.create({ name: configId })
  await api.packages.create({ repo: configId, name: packageName })
  await makeTypes()
  const { id: folderId } = await folders.create({ configId, name: 'Shelf' })
  const { id: taxonomyId } = await taxonomies.create({ configId, name: 'Stones' })
  const { id: categoryId } = await categories.create({ configId, taxonomyId, name: 'Minerals' })
  const query = { text: { $param: 'words' }, highlight: true }
  const parameters = [{ name: 'words', kind: 'text' as const }]
  await savedQueries.create({ configId, name: 'words', query, parameters })
  const { id: open } = await items.create({ repositoryId: configId, type: 'article', name: 'Open', folderId })
  const shared = { folderId, categories: [categoryId], readPerm: [inner] }
  const hidden = await makeHidden(shared, open)
  const asset = await makeAssets(shared)
  await items.update({ configId, id: open, fields: { related: [hidden, asset] } })
  return { configId, packageName, open, hidden, asset, folder: folderId, taxonomyId, categoryId }
}

async function makeTypes(): Promise<void> {
  const text = 'text' as const
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: text },
      { name: 'note', kind: text },
      { name: 'tags', kind: text, list: true },
      { name: 'related', kind: 'reference', list: true },
      { name: 'guard', kind: 'reference', settings: { onDelete: 'restrict' } },
    ],
  })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
}

interface Shared {
  readonly folderId: string
  readonly categories: string[]
  readonly readPerm: string[]
}

async function makeHidden(shared: Shared, open: string): Promise<string> {
  const { items } = api
  const { id } = await items.create({
    ...shared,
    repositoryId: configId,
    type: 'article',
    name: 'About nameazurite',
    slug: 'slugbismuth',
    description: 'Of textcinnabar and more',
    fields: {
      title: 'titlekyanite',
      note: 'fielddolomite',
      tags: ['tagepidote'],
      guard: open,
      related: [open],
    },
  })
  await items.publish({ configId, id, comment: 'Because of commenthematite' })
  await items.update({ configId, id, description: 'Now draftilmenite' })
  await items.update({ configId, packageName, id, name: 'packagejadeite', fields: { related: [] } })
  await items.create({
    ...shared,
    repositoryId: configId,
    packageName,
    type: 'article',
    name: 'packagejadeite 2',
  })
  return id
}

/** A text file, and a file that claims to be a PDF. */
async function makeAssets(shared: Shared): Promise<string> {
  const about = { ...shared, configId, type: 'file', name: 'A file about nameazurite' }
  const text = new File(['All about contentgarnet and no more'], 'filefluorite.txt', { type: 'text/plain' })
  const { id } = await api.assets.create({ ...about, file: text })
  const broken = new File(['%PDF-1.7 brokenlazurite'], 'filefluorite.pdf', { type: 'application/pdf' })
  await api.assets.create({ ...about, file: broken })
  return id
}

describe('texts of items that may not be read', () => {
  it(
    'are in no answer to an account with all other permissions, and in no log',
    async () => {
      const questions = hiddenTextQuestions(scope, canaries)
      const statuses = new Map<number, number>()
      for (const { name, endpoint, input } of questions) {
        const { status, whole } = await ask(server.url, { endpoint, input, token: readerToken })
        watch.received.push({ request: `${name}: ${JSON.stringify(input)}`, text: whole })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(watch.reported()).toEqual([])
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
      expect(statuses.get(200)).toBeGreaterThan(questions.length / 2)
      expect(watch.within('the log', server.lines.join('\n'))).toEqual([])
    },
    startMs,
  )

  it('would be found: each is in an answer to an account that may read it', async () => {
    const insider = new CanaryWatch(() => '')
    for (const { endpoint, input } of hiddenTextQuestions(scope, canaries)) {
      const { whole } = await ask(server.url, { endpoint, input, token: insiderToken })
      insider.received.push({ request: '', text: whole })
    }
    const all = insider.received.map(({ text }) => text).join('\n')
    expect(canaries.filter((canary) => !all.includes(canary))).toEqual(['brokenlazurite'])
  })
})
