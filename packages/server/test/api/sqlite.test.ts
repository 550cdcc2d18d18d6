import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { nodeExtraction } from '@quire/extract-node'
import { sharpMedia } from '@quire/media-sharp'
import { openSqliteStore } from '@quire/store-sqlite'
import { apiSuite } from '@quire/testkit/suites'
import { engineOn } from './engine.ts'

apiSuite('in process, on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-api-'))
  const engine = engineOn(await openSqliteStore({ file: join(folder, 'quire.db') }), {
    blobs: await openFileBlobs({ folder: join(folder, 'blobs'), minFreeBytes: 0 }),
    media: sharpMedia(),
    extraction: nodeExtraction(),
  })
  return {
    ...engine,
    connect: (caller) => engine.quire.as(caller),
    close: async () => {
      await engine.quire.close()
      rmSync(folder, { recursive: true })
    },
  }
})
