import type { AddressInfo } from 'node:net'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { createServer, noRateLimits } from '@quire/server'
import { anEntity } from '@quire/testkit'
import { createPrincipals, type Principal } from './principals.ts'

/** The package that every repository has. */
export const commonPackage = 'spring-issue'

/** A category of every repository: no operation makes one yet. */
export const category = 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS'

/** A type whose published items are saved through packages alone. */
export const ruledType = 'ruled'

/** A server on a port of its own, with everything that requests of the matrix name. */
export interface Site {
  readonly quire: Quire
  readonly store: Store
  /** The engine in process, as the system. */
  readonly system: Api
  readonly address: string
  /** The address that the service says it has. */
  readonly baseUrl: string
  /** `magazine` is where the rights are, `archive` another, and `gazette` is public. Ids by name. */
  readonly repositories: Readonly<Record<RepositoryName, string>>
  /** A role that nobody has. */
  readonly strangeRole: string
  readonly principals: readonly Principal[]
  /** A text that nothing else of the site has. */
  readonly word: (kind: string) => string
  close(): Promise<void>
}

export type RepositoryName = 'magazine' | 'archive' | 'gazette'

/** Serves an engine in memory without rates, with three repositories, three types and an account of each principal. */
export async function openSite(): Promise<Site> {
  const store = createMemoryStore()
  const baseUrl = 'http://quire.test'
  const quire = createQuire({ store, baseUrl })
  const system = quire.as(systemIdentity('matrix'))
  await createTypes(system)
  const repositories = {
    magazine: await createRepository(system, store, { name: 'magazine' }),
    archive: await createRepository(system, store, { name: 'archive' }),
    gazette: await createRepository(system, store, { name: 'gazette', public: true }),
  }
  const { id: strangeRole } = await system.roles.create({ name: 'Nobody has it' })
  const place = { repositoryId: repositories.magazine, otherId: repositories.archive }
  const principals = await createPrincipals(quire, system, place)
  const app = createServer({ quire, baseUrl, rates: noRateLimits })
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
    strangeRole,
    principals,
    word: words(),
    close,
  }
}

/** The place of the newest entry of the journal; 0 while it is empty. */
export async function lastSequence({ store }: Pick<Site, 'store'>): Promise<number> {
  const [last] = await store.journal.readBack({ limit: 1 })
  return last?.sequence ?? 0
}

function words(): (kind: string) => string {
  let count = 0
  return (kind) => `${kind}-${String((count += 1)).padStart(6, '0')}`
}

async function createTypes(system: Api): Promise<void> {
  const fields = [{ name: 'title', kind: 'text' as const }]
  await system.types.create({ name: 'article', settings: { slugFrom: 'title' }, fields })
  await system.types.create({ name: ruledType, fields })
  await system.types.create({ name: 'picture', settings: { isAsset: true, mimeTypes: ['image/*'] }, fields })
}

async function createRepository(
  system: Api,
  store: Store,
  input: Parameters<Api['repositories']['create']>[0],
): Promise<string> {
  const { id: repositoryId } = await system.repositories.create(input)
  await system.packages.create({ repo: repositoryId, name: commonPackage })
  const taxonomyId = `TAXO_${repositoryId.slice(-26)}`
  const taxonomy = anEntity({ kind: 'taxonomy', type: 'taxonomy', id: taxonomyId, repositoryId, slug: null })
  const member = { kind: 'category', type: 'category', id: category, body: { taxonomyId } } as const
  await store.transaction(async (tx) => {
    await tx.entities.put(taxonomy, 0)
    await tx.entities.put(anEntity({ ...member, repositoryId, slug: null }), 0)
  })
  return repositoryId
}
