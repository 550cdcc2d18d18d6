import type { SqlValue } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { rowsWithin } from '../rows-within.ts'
import { applySettings, heavyReaderSettings } from '../pragmas.ts'
import type { JobTable, Statement, ThreadSetup } from './protocol.ts'

/** How many statements stay compiled; all are forgotten when there are more. One takes some 10 KB, and compiling one some 100 µs. */
const MOST_STATEMENTS = 50

/** Opens what the jobs work with. Errors: the thread ends with what SQLite says. */
export function openJobs(setup: ThreadSetup): JobTable {
  const reader = openReader(setup.file)
  const reindexing = () => import('./reindexing.ts')
  return {
    read: createRead(reader),
    readWords: later(async () => (await reindexing()).createReadWords(reader)),
    writeWords: later(async () => (await reindexing()).openWriteWords(setup)),
  }
}

/** A job of which nothing is loaded or opened before it is asked for. */
function later<I, R>(open: () => Promise<(input: I) => R | Promise<R>>): (input: I) => Promise<R> {
  let opened: ReturnType<typeof open> | undefined
  return async (input) => (await (opened ??= open()))(input)
}

function openReader(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  applySettings(database, heavyReaderSettings)
  return database
}

/** Each statement is a transaction of its own, so that it sees what was committed before it and holds the log back no longer than it runs. */
function createRead(reader: Database.Database): JobTable['read'] {
  const stored = new Map<string, Database.Statement<[SqlValue[]], never>>()
  return ({ text, parameters, mostText }: Statement) => {
    const statement = stored.get(text) ?? reader.prepare<[SqlValue[]], never>(text).raw()
    if (stored.size >= MOST_STATEMENTS) stored.clear()
    stored.set(text, statement)
    const values = [...parameters]
    return mostText === undefined ? statement.all(values) : rowsWithin(statement.iterate(values), mostText)
  }
}
