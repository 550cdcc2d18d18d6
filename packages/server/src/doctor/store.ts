import { newestVersion, postgresMigrations } from '@quire/store-sql'
import { openSqliteStore, StoreOpenError } from '@quire/store-sqlite'
import type { Store } from '@quire/core/ports'
import type { DataFolder } from '../storage/data-folder.ts'
import type { DatabaseLocation } from '../storage/locations.ts'
import { openServerKeys } from '../storage/server-key.ts'
import { keyRingId, sharedSecrets } from '../storage/shared-keys.ts'
import { fault, note, ok, type Check } from './finding.ts'
import { type Reader, openDatabaseReader } from './reader.ts'

/**
 * Opens the store as the server does and reports the result: opening refuses a SQLite version, a
 * setting or a schema that could lose data. While a server uses the database it cannot be opened,
 * but then that server has passed the same checks.
 */
export async function checkStore(file: string): Promise<Check[]> {
  try {
    const store = await openSqliteStore({ file })
    const { sqliteVersion, schemaVersion, settings } = store.info()
    await store.close()
    const visible = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    return [
      ok('sqlite', `SQLite ${sqliteVersion}, schema ${schemaVersion}`),
      ok('settings', visible.join(' ')),
    ]
  } catch (error) {
    return [refusal(error)]
  }
}

/**
 * Opens a database as a server does, while servers may use it, and opens its keys with the key
 * file.
 */
export async function checkServedDatabase(location: DatabaseLocation, folder: DataFolder): Promise<Check[]> {
  const skew = await skewOf(location)
  if (skew) return [skew]
  try {
    const { openPostgresStore } = await import('@quire/store-postgres')
    const store = await openPostgresStore(location)
    try {
      const { serverVersion, schemaVersion } = store.info()
      return [
        ok('postgresql', `PostgreSQL ${serverVersion}, schema ${schemaVersion}`),
        await checkKeys(store, folder),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [fault('postgresql', error instanceof Error ? error.message : String(error))]
  }
}

/**
 * A difference between the schema version and this release; null if there is none. A server
 * migrates an older schema, but a check must not change it.
 */
async function skewOf(location: DatabaseLocation): Promise<Check | null> {
  const newest = newestVersion(postgresMigrations)
  let reader: Reader | undefined
  try {
    reader = await openDatabaseReader(location)
    const [row] = await reader.all('SELECT version FROM schema_version')
    const version = Number(row?.['version'])
    if (version === newest) return null
    const message = `the schema has version ${version}, but this release needs ${newest}: run the doctor of the release that serves it`
    return fault('postgresql', message)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return fault('postgresql', `no installation was found there (${reason}): start a server to create one`)
  } finally {
    await reader?.close()
  }
}

async function checkKeys(store: Store, { key }: DataFolder): Promise<Check> {
  const name = 'shared keys'
  if (!(await store.records.get('keyRing', keyRingId))) return note(name, 'no server has been started yet')
  try {
    const { keys } = await openServerKeys({ key, database: 'the database', isNew: false })
    await sharedSecrets(store, keys)
    return ok(name, 'the server key opens the keys in the database')
  } catch (error) {
    return fault(name, error instanceof Error ? error.message : String(error))
  }
}

function refusal(error: unknown): Check {
  if (error instanceof StoreOpenError && error.reason === 'inUse') {
    const message = 'a server is using the database and has checked its version and settings'
    return note('sqlite', message)
  }
  return fault('sqlite', error instanceof Error ? error.message : String(error))
}
