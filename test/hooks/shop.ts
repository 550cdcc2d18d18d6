import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Hooks, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll } from 'vitest'

/** An engine with hooks, a repository `shop` and the types `product`, `secret` and `photo`. */
export interface Shop {
  readonly quire: Quire
  readonly store: Store
  readonly api: Api
  /** The members of what was logged as an error, with the event. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  /** A service account whose only keys are for items of the type `product`. */
  readonly contributor: () => Promise<Api>
}

const folder = mkdtempSync(join(tmpdir(), 'quire-hooks-'))
const opened: Quire[] = []
let files = 0

afterAll(async () => {
  for (const quire of opened) await quire.close()
  rmSync(folder, { recursive: true, force: true })
})

export const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['SQLite', async () => openSqliteStore({ file: join(folder, `${++files}.db`) })],
]

const fields = [
  { name: 'price', kind: 'number' as const },
  { name: 'code', kind: 'text' as const },
]

/** Opens a shop. Only its repository and types exist, for which no hooks run. */
export async function openShop(openStore: () => Promise<Store>, hooks: Hooks): Promise<Shop> {
  const store = await openStore()
  const logged: Record<string, unknown>[] = []
  const log = {
    write: (level: string, event: string, members = {}) => {
      if (level === 'error') logged.push({ ...members, event })
    },
  }
  const quire = createQuire({ store, hooks, log })
  opened.push(quire)
  const api = quire.as(systemIdentity('test'))
  const { id: repositoryId } = await api.repositories.create({ name: 'shop' })
  await api.types.create({ name: 'product', fields })
  await api.types.create({ name: 'secret', fields })
  await api.types.create({ name: 'photo', fields, settings: { isAsset: true } })
  const contributor = async () => {
    const keys = ['items.read', 'items.create', 'items.update'] as const
    const permissions = { repos: { [`${repositoryId}:product`]: [...keys] } }
    const role = await api.roles.create({ name: 'Contributor', permissions })
    const { id } = await api.serviceAccounts.create({ name: 'Contributor', roles: [role.id] })
    return quire.as({ kind: 'service', id })
  }
  return { quire, store, api, logged, contributor }
}

export const product = { repositoryId: 'shop', type: 'product', name: 'Tea' }
