import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll } from 'vitest'
import { rememberedReads, withoutCommits } from './remembered-steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-remembered-'))
let files = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

rememberedReads({
  name: 'memory',
  numRuns: 4,
  open: async () => createMemoryStore(),
  withoutCaches: withoutCommits,
})

rememberedReads({
  name: 'SQLite',
  numRuns: 2,
  open: async () => openSqliteStore({ file: join(folder, `${++files}.db`) }),
  withoutCaches: (store) => withoutCommits(readInTransactions(store)),
})

/** The same store, read in transactions, which do not use the cache of heads. */
function readInTransactions(store: Store): Store {
  const read: Store['transaction'] = (work) => store.transaction(work, { synced: false })
  const { entities } = store
  return {
    ...store,
    entities: {
      ...entities,
      list: (...given) => read((tx) => tx.entities.list(...given)),
      getBySlug: (...given) => read((tx) => tx.entities.getBySlug(...given)),
    },
  }
}
