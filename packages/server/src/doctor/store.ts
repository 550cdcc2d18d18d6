import { openSqliteStore, StoreOpenError } from '@quire/store-sqlite'
import { fault, note, ok, type Check } from './finding.ts'

/**
 * Opens the store as the server does, which refuses a SQLite, a setting or a schema that would lose data, and says what it found.
 * While a server has the database there is nothing to open: that server has passed.
 */
export async function checkStore(file: string): Promise<Check[]> {
  try {
    const store = await openSqliteStore({ file })
    const { sqliteVersion, schemaVersion, settings } = store.info()
    await store.close()
    const shown = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    return [ok('sqlite', `SQLite ${sqliteVersion}, schema ${schemaVersion}`), ok('settings', shown.join(' '))]
  } catch (error) {
    return [refusal(error)]
  }
}

function refusal(error: unknown): Check {
  if (error instanceof StoreOpenError && error.reason === 'inUse') {
    const message = 'a server uses the database, and has checked version and settings'
    return note('sqlite', message)
  }
  return fault('sqlite', error instanceof Error ? error.message : String(error))
}
