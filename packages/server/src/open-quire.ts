import { createQuire, type Quire } from '@quire/core'
import { memorySecrets, randomIds, systemClock } from '@quire/core/memory'
import type { Log, Secrets, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { prepareDataFolder, type DataFolder } from './data/data-folder.ts'
import { openServerKey } from './data/server-key.ts'

/** What `openQuire` takes. */
export interface QuireConfig {
  /** The folder that keeps everything; made when it is not there. */
  readonly data: string
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Where the engine says what happened. Default: nowhere. */
  readonly log?: Log
}

/** An engine over a data folder, with the ports that it stands on. */
export interface OpenedQuire {
  readonly quire: Quire
  readonly store: Store
  readonly secrets: Secrets
  readonly folder: DataFolder
}

/**
 * The engine as the service runs it: SQLite in `<data>/quire.db`, secrets under `<data>/server.key`. Close it through `quire`.
 * Errors: OperatorError for a folder or key that cannot be used; StoreOpenError for a database that cannot.
 */
export async function openQuire({ data, baseUrl, log }: QuireConfig): Promise<OpenedQuire> {
  const folder = await prepareDataFolder(data)
  const secrets = memorySecrets(await openServerKey(folder))
  const store = await openSqliteStore({ file: folder.database })
  const clock = systemClock()
  const quire = createQuire({ store, secrets, clock, ids: randomIds(clock), baseUrl, ...(log && { log }) })
  return { quire, store, secrets, folder }
}
