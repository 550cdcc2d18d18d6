// node test/kill/jobs/slow-server.ts <data folder> <ms ahead> <read|refuse> <lease ms> [<schema>]
// [--port=<port>]: the service with slow ports, a short lease and a shifted clock; on PostgreSQL if
// a schema is given.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire } from '@quire/core'
import { fakeExtraction, memorySecrets } from '@quire/core/memory'
import { ExtractionRefused, type Blobs, type Extraction } from '@quire/core/ports'
import { createServer, noRateLimits } from '@quire/server'
import { openPostgresStore } from '@quire/store-postgres'
import { openSqliteStore } from '@quire/store-sqlite'
import { databaseUrl } from '../../services/postgres.ts'
import { ensureAdministrator } from '../administrator-account.ts'

// The delay per file in ms, so that a kill happens in the middle of a job.
const fileMs = 15

const { values, positionals } = parseArgs({
  options: { port: { type: 'string', default: '0' } },
  allowPositionals: true,
})
const [folder = '', ahead = '0', reads = 'read', lease = '500', schema = ''] = positionals
mkdirSync(folder, { recursive: true })
const store =
  schema === ''
    ? await openSqliteStore({ file: join(folder, 'quire.db') })
    : await openPostgresStore({ url: databaseUrl(), schema })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(store, secrets)
const quire = createQuire({
  store,
  secrets,
  clock: { now: () => Date.now() + Number(ahead) },
  blobs: slowBlobs(await openFileBlobs({ folder: join(folder, 'blobs'), minFreeBytes: 0 })),
  extraction: reads === 'read' ? slowExtraction(fakeExtraction()) : refusingExtraction(),
  leaseMs: Number(lease),
})
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
const url = await app.listen({ host: '127.0.0.1', port: Number(values.port) })
quire.work()
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)

function slowBlobs(blobs: Blobs): Blobs {
  return {
    ...blobs,
    async verify(hash) {
      await wait(fileMs)
      return blobs.verify(hash)
    },
  }
}

function slowExtraction(extraction: Extraction): Extraction {
  return {
    async extract(source, kind) {
      await wait(fileMs)
      return extraction.extract(source, kind)
    },
  }
}

/** Rejects every extraction, so that a sync finds files without text. */
function refusingExtraction(): Extraction {
  return {
    async extract() {
      throw new ExtractionRefused('slow', 'It took too long.')
    },
  }
}
