import type { SqlValue } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { rowsWithin } from '../rows-within.ts'
import { applySettings, heavyReaderSettings } from '../pragmas.ts'
import type { JobTable, Statement, ThreadSetup } from './protocol.ts'

/**
 * The maximum number of compiled statements in the cache, which is cleared when it is full. One
 * takes some 10 KB; compiling one takes some 100 µs.
 */
const MOST_STATEMENTS = 50

/** Opens the connection of the jobs. Errors: the thread ends with SQLite's error. */
export function openJobs(setup: ThreadSetup): JobTable {
  const reader = openReader(setup.file)
  const reindexing = () => import('./reindexing.ts')
  return {
    read: createRead(reader),
    readWords: later(async () => (await reindexing()).createReadWords(reader)),
    writeWords: later(async () => (await reindexing()).openWriteWords(setup)),
  }
}

/** A job whose code and connection are loaded on first use. */
function later<I, R>(open: () => Promise<(input: I) => R | Promise<R>>): (input: I) => Promise<R> {
  let opened: ReturnType<typeof open> | undefined
  return async (input) => (await (opened ??= open()))(input)
}

function openReader(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  applySettings(database, heavyReaderSettings)
  return database
}

/**
 * Each statement is its own transaction, so it sees all earlier commits and blocks the merge of the
 * log only while it runs.
 */
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
