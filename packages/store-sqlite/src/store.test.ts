import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restartSuite, storeSuite } from '@quire/testkit/suites'
import { openSqliteStore } from './open-store.ts'

storeSuite('on SQLite', openOne)
restartSuite('on SQLite', openOne)

async function openOne() {
  const folder = await mkdtemp(join(tmpdir(), 'quire-store-'))
  const file = join(folder, 'quire.db')
  let current = await openSqliteStore({ file })
  return {
    store: current,
    reopen: async () => {
      await current.close()
      current = await openSqliteStore({ file })
      return current
    },
    dispose: async () => {
      await current.close()
      await rm(folder, { recursive: true })
    },
  }
}
