import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { isDamage, translate } from './sqlite-error.ts'

const failure = (code: string) => new Database.SqliteError('it failed', code)
const kindOf = (error: unknown) => (error instanceof StoreUnavailable ? error.kind : 'a fault')

describe('an error of SQLite', () => {
  it.each([
    ['SQLITE_FULL', 'full'],
    ['SQLITE_BUSY', 'busy'],
    ['SQLITE_BUSY_SNAPSHOT', 'busy'],
    ['SQLITE_READONLY_DBMOVED', 'closed'],
    ['SQLITE_IOERR_FSYNC', 'damaged'],
    ['SQLITE_CORRUPT_INDEX', 'damaged'],
    ['SQLITE_NOTADB', 'damaged'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'a fault'],
    ['SQLITE_ERROR', 'a fault'],
  ])('%s is %s', (code, kind) => {
    const error = failure(code)
    const translated = translate(error)
    expect(kindOf(translated)).toBe(kind)
    expect(kind === 'a fault' ? translated : translated instanceof Error && translated.cause).toBe(error)
  })

  it('ends all writing only when the disk or the file can no longer be trusted', () => {
    for (const code of ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'])
      expect(isDamage(translate(failure(code))), code).toBe(true)
    for (const code of ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_READONLY', 'SQLITE_CONSTRAINT'])
      expect(isDamage(translate(failure(code))), code).toBe(false)
    expect(isDamage(new Error('mine'))).toBe(false)
  })
})

describe('any other error', () => {
  it('is not changed', () => {
    const error = new Error('mine')
    expect(translate(error)).toBe(error)
  })
})
