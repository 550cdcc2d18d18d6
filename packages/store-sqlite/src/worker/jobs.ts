import type { SqlValue } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { applySettings, heavyReaderSettings } from '../pragmas.ts'
import type { JobTable, Statement, ThreadSetup } from './protocol.ts'
import type { Reindex } from './reindex.ts'

/** How many statements stay compiled; all are forgotten when there are more. One takes some 10 KB, and compiling one some 100 µs. */
const MOST_STATEMENTS = 50

/** Opens what the jobs work with. Errors: the thread ends with what SQLite says. */
export function openJobs(setup: ThreadSetup): JobTable {
  const reader = openReader(setup.file)
  return { read: createRead(reader), reindex: reindexLater(setup) }
}

/** What reading needs nothing of is loaded with the first part. */
function reindexLater(setup: ThreadSetup): Reindex {
  let opened: Promise<Reindex> | undefined
  const open = async () => {
    const { openReindex } = await import('./reindex.ts')
    return openReindex(setup)
  }
  return async (part) => (await (opened ??= open()))(part)
}

function openReader(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  applySettings(database, heavyReaderSettings)
  return database
}

/** Each statement is a transaction of its own, so that it sees what was committed before it and holds the log back no longer than it runs. */
function createRead(reader: Database.Database): JobTable['read'] {
  const kept = new Map<string, Database.Statement<[SqlValue[]], never>>()
  return ({ text, parameters }: Statement) => {
    const statement = kept.get(text) ?? reader.prepare<[SqlValue[]], never>(text).raw()
    if (kept.size >= MOST_STATEMENTS) kept.clear()
    kept.set(text, statement)
    return statement.all([...parameters])
  }
}
