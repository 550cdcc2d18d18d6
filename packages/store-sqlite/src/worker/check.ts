// The program of the process that checks a database: see `createCheck`. It prints one line of JSON.
// It loads as little as possible, because it runs while the service starts.
import { setPriority } from 'node:os'
import Database from 'better-sqlite3'
import { applySettings, heavyReaderSettings } from '../pragmas.ts'
import type { CheckReport } from './check-report.ts'

/** The lowest priority. */
const LAST = 19

/** The maximum number of reported problems: the first one is telling enough. */
const MOST_PROBLEMS = 5

setPriority(LAST)
process.stdout.write(JSON.stringify(reportOn(process.argv[2] ?? '')))

function reportOn(file: string): CheckReport {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    applySettings(database, heavyReaderSettings)
    return { problems: problemsOf(database).slice(0, MOST_PROBLEMS) }
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : null
    return { failure: { message: String(error), code } }
  }
}

/**
 * Checks one table with its indexes after the other, each in a transaction of its own, because
 * SQLite cannot restart the log during a check. The search index is checked through the tables that
 * it is stored in.
 */
function problemsOf(database: Database.Database): string[] {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all()
  return ['sqlite_schema', ...tables].flatMap((table) =>
    database
      .prepare<[], string>(`PRAGMA quick_check('${table}')`)
      .pluck()
      .all()
      .filter((branch) => branch !== 'ok')
      .map((branch) => `${table}: ${branch.split('\n').at(-1)}`),
  )
}
