// What a process of its own runs to look through a database: see `createCheck`. It says one branch of JSON, and loads as little as it can: it begins beside a start.
import { setPriority } from 'node:os'
import Database from 'better-sqlite3'
import { applySettings, heavyReaderSettings } from '../pragmas.ts'
import type { CheckReport } from './check-report.ts'

/** The nice value of whoever goes last of all. */
const LAST = 19

/** Problems that are told at most: the first says enough. */
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
 * One table with its indexes after the other, each in a transaction of its own: while one is looked at, the log cannot be begun anew. The words of the search are looked at as the
 * tables that they are kept in.
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
