// Compiled with `strict` and without skipLibCheck.
import { createClient } from '@quire/client'
import type { Item } from '@quire/contract'
import { createMockQuire } from '@quire/client/mock'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createFetchHandler, toNextJsHandler, toNodeHandler } from '@quire/http'
import { createServer, quirePlugin } from '@quire/server'
import { openPostgresStore } from '@quire/store-postgres'
import { openSqliteStore } from '@quire/store-sqlite'
import { fixedClock } from '@quire/testkit'

interface ContentTypes {
  readonly article: { readonly title: string }
}

const client = createClient<ContentTypes>({ baseUrl: 'http://localhost', auth: { token: 'x' } })
const item = await client.items.get({ configId: 'magazine', id: 'CONT_1' })
export const name: Item['name'] | undefined = item.name
const quire = createQuire({ store: createMemoryStore(), baseUrl: 'http://localhost' })
const handler = createFetchHandler(quire)
export const { GET } = toNextJsHandler(handler)
export const used = [
  fixedClock,
  quire.as(systemIdentity('types')),
  toNodeHandler(handler),
  createMockQuire,
  createServer,
  quirePlugin,
  openPostgresStore,
  openSqliteStore,
]
