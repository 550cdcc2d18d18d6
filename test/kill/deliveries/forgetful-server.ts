// node test/kill/deliveries/forgetful-server.ts <data folder> <port>: the service with a store that
// forgets which jobs were started.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import type { Job, Store, Transaction } from '@quire/core/ports'
import { undiciOutbound } from '@quire/outbound-undici'
import { createServer, noRateLimits } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { ensureAdministrator } from '../administrator-account.ts'

const [folder = '', port = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const sound = await openSqliteStore({ file: join(folder, 'quire.db') })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(sound, secrets)
const outbound = undiciOutbound({ allow: [`127.0.0.1:${port}`] })
const quire = createQuire({ store: forgetful(sound), secrets, outbound })
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
quire.work()
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)

class Undone extends Error {
  readonly jobs: readonly Job[]
  constructor(jobs: readonly Job[]) {
    super('the start of jobs is forgotten')
    this.jobs = jobs
  }
}

/** A store that hands out jobs but leaves them queued, so that each is started again and again. */
function forgetful(store: Store): Store {
  return {
    ...store,
    transaction: (work, options) => store.transaction((tx) => work(forgetting(tx)), options),
  }
}

function forgetting(tx: Transaction): Transaction {
  const claim: Transaction['jobs']['claim'] = async (wanted) => {
    try {
      return await tx.nested(async (inner) => {
        throw new Undone(await inner.jobs.claim(wanted))
      })
    } catch (error) {
      if (error instanceof Undone) return error.jobs
      throw error
    }
  }
  return { ...tx, jobs: { ...tx.jobs, claim } }
}
