import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Hooks, type Quire } from '@quire/core'
import { createMemoryStore, fakeOutbound, scriptedEngine } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { createServer, noRateLimits } from '@quire/server'
import { testIssuer } from '@quire/testkit'
import { pixelBytes } from './pixel.ts'
import { createPrincipals, type Caller } from './principals.ts'

/**
 * The upstream of access configurations. It answers every request like a language model that was
 * asked for a summary.
 */
export const upstream = 'https://upstream.example.com/v1'

/** The origin of files that repositories name. Every file of it is one pixel. */
export const fileServer = 'https://files.example.com'

const answerOfFileServer = { status: 200, headers: [], body: pixelBytes, isCut: false } as const

const answerOfUpstream = {
  status: 200,
  headers: [['content-type', 'application/json']],
  body: new TextEncoder().encode('{"choices":[{"message":{"content":"{\\"summary\\":\\"short\\"}"}}]}'),
  isCut: false,
} as const

/** The package that every repository has. */
export const commonPackage = 'spring-issue'

/** A type whose published items can be saved only through packages. */
export const ruledType = 'ruled'

/** A type with a field `lead` in the locales of the repositories, `en` and `de`. */
export const translatedType = 'translated'

const locales = {
  default: 'en',
  list: [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch' },
  ],
}

/** A server on its own port, with all content that the matrix requests need. */
export interface Site {
  readonly quire: Quire
  readonly store: Store
  /** The engine in process, with the system identity. */
  readonly system: Api
  readonly address: string
  /** The address that the service is configured with. */
  readonly baseUrl: string
  /**
   * `magazine`: the repository with the tested permissions; `archive`: another one; `gazette`: a
   * public one. Ids by name.
   */
  readonly repositories: Readonly<Record<RepositoryName, string>>
  /** The folder and category for the items of each repository. */
  readonly shelves: Readonly<Record<RepositoryName, Shelf>>
  /** A role that no account has. */
  readonly strangeRole: string
  readonly principals: readonly Caller[]
  /** Returns a unique text. */
  readonly word: (kind: string) => string
  close(): Promise<void>
}

/**
 * Streams without more events send a heartbeat after this time. Existing events are sent within a
 * few milliseconds.
 */
const heartbeatMs = 60

export type RepositoryName = 'magazine' | 'archive' | 'gazette'

/** A folder and a category for the items of a repository. */
export interface Shelf {
  readonly folderId: string
  readonly categoryId: string
}

/**
 * Serves an in-memory engine without rate limits, with three repositories, three types and an
 * account for each principal.
 */
export async function openSite(hooks: Hooks = {}): Promise<Site> {
  const store = createMemoryStore()
  const baseUrl = 'http://quire.test'
  const issuer = await testIssuer()
  const engine = scriptedEngine()
  const outbound = fakeOutbound((request) => {
    if (request.url.startsWith(fileServer)) return answerOfFileServer
    return request.url.startsWith(upstream) ? answerOfUpstream : engine.answer(request)
  })
  const quire = createQuire({ store, baseUrl, outbound, trustedIssuers: [issuer], hooks })
  const system = quire.as(systemIdentity('matrix'))
  await createTypes(system)
  const repositories = {
    magazine: await createRepository(system, { name: 'magazine' }),
    archive: await createRepository(system, { name: 'archive' }),
    gazette: await createRepository(system, {
      name: 'gazette',
      public: true,
      settings: { workflow: { enabled: true }, graphql: { public: true } },
    }),
  }
  const shelves = {
    magazine: await createShelf(system, repositories.magazine),
    archive: await createShelf(system, repositories.archive),
    gazette: await createShelf(system, repositories.gazette),
  }
  const { id: strangeRole } = await system.roles.create({ name: 'Unused role' })
  const scope = { repositoryId: repositories.magazine, otherId: repositories.archive, issuer }
  const principals = await createPrincipals(quire, system, scope)
  const app = createServer({ quire, baseUrl, rates: noRateLimits, heartbeatMs })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  const close = async () => {
    await app.close()
    await quire.close()
  }
  return {
    quire,
    store,
    system,
    address,
    baseUrl,
    repositories,
    shelves,
    strangeRole,
    principals,
    word: words(),
    close,
  }
}

/** The sequence number of the newest journal entry; 0 if there is none. */
export async function lastSequence({ store }: Pick<Site, 'store'>): Promise<number> {
  // That an agent called is recorded even if it changed nothing.
  for (const limit of [1, 30, 3000]) {
    const newest = await store.journal.readBack({ limit })
    const last = newest.find(({ event }) => event !== 'AGENT_CALLED')
    if (last) return last.sequence
  }
  return 0
}

/**
 * Resolves once no index is being rebuilt and no job is due: the end of a rebuild is recorded in
 * the journal.
 */
export async function quiet({ store, quire }: Pick<Site, 'store' | 'quire'>): Promise<void> {
  await quire.settled()
  const isRunning = async () =>
    (await store.records.list('indexRebuild')).some(({ state }) => state === 'running')
  while (await isRunning()) await setTimeout(5)
}

function words(): (kind: string) => string {
  let count = 0
  return (kind) => `${kind}-${String((count += 1)).padStart(6, '0')}`
}

async function createTypes(system: Api): Promise<void> {
  const fields = [{ name: 'title', kind: 'text' as const }]
  const related = { name: 'related', kind: 'reference' as const, list: true }
  await system.types.create({
    name: 'article',
    settings: { slugFrom: 'title' },
    fields: [...fields, related],
  })
  await system.types.create({ name: ruledType, fields })
  await system.types.create({
    name: translatedType,
    fields: [...fields, { ...fields[0], name: 'lead', localized: true }],
  })
  await system.types.create({ name: 'picture', settings: { isAsset: true, mimeTypes: ['image/*'] }, fields })
}

async function createRepository(
  system: Api,
  input: Parameters<Api['repositories']['create']>[0],
): Promise<string> {
  const { id } = await system.repositories.create({
    ...input,
    settings: {
      workflow: { enabled: true },
      assets: { fetchOrigins: [fileServer] },
      locales,
      previewUrl: 'https://www.example.com/{slug}?package={package}&token={token}',
      ...input.settings,
    },
  })
  await system.packages.create({ repo: id, name: commonPackage })
  return id
}

async function createShelf(system: Api, configId: string): Promise<Shelf> {
  const { id: folderId } = await system.folders.create({ configId, name: 'All items' })
  const { id: taxonomyId } = await system.taxonomies.create({ configId, name: 'Subjects' })
  const { id: categoryId } = await system.categories.create({ configId, taxonomyId, name: 'Whatever' })
  return { folderId, categoryId }
}
