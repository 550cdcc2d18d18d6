import type { TextReader, TextWriter } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Prepared, SqlDriver } from '../driver.ts'
import type { Session } from '../session.ts'

/** The reads of texts of files. */
export type TextReads = ReturnType<typeof prepareTextReads>

/** Prepares the reads of a connection. */
export function prepareTextReads(driver: SqlDriver, { tables: { texts } }: Dialect) {
  return {
    text: driver.prepare<readonly [string]>(
      sql`SELECT ${texts.text} FROM ${texts} WHERE ${texts.hash} = ${sql.placeholder('hash')}`,
    ),
  }
}

/** The texts of files as a session reads them. */
export function createTextReader({ text }: TextReads, session: Session): TextReader {
  return {
    async get(hash) {
      session.requireOpen()
      const row = await text.get({ hash })
      return row ? row[0] : null
    },
  }
}

/** What writes of texts run, beside their reads. */
export interface TextWrites extends TextReads {
  readonly putText: Prepared<never>
}

/** The texts of files in a transaction. */
export function createTextWriter(writes: TextWrites, session: Session): TextWriter {
  return {
    ...createTextReader(writes, session),
    async put(hash, text) {
      session.requireOpen()
      await writes.putText.run({ hash, text })
    },
  }
}
