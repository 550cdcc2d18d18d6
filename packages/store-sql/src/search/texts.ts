import type { TextReader, TextWriter } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Prepared, SqlDriver } from '../driver.ts'
import { insertRow } from '../row-write.ts'
import type { Session } from '../session.ts'

export type TextReads = ReturnType<typeof prepareTextReads>

export function prepareTextReads(driver: SqlDriver, { tables: { texts } }: Dialect) {
  return {
    text: driver.prepare<readonly [string]>(
      sql`SELECT ${texts.text} FROM ${texts} WHERE ${texts.hash} = ${sql.placeholder('hash')}`,
    ),
  }
}

/** Reads the texts of files in a session. */
export function createTextReader({ text }: TextReads, session: Session): TextReader {
  return {
    async get(hash) {
      session.requireOpen()
      const row = await text.get({ hash })
      return row ? row[0] : null
    },
  }
}

/** The statements of a writer of texts, which also reads them. */
export interface TextWrites extends TextReads {
  readonly putText: Prepared<never>
  readonly textsAfter: Prepared<readonly [hash: string]>
  readonly forgetTexts: Prepared<never>
}

/** Prepares the writes of texts, without their reads. */
export function prepareTextWrites(driver: SqlDriver, { tables: { texts, versionBlobs } }: Dialect) {
  const after = sql`${texts.hash} > ${sql.placeholder('after')}`
  const needed = sql`SELECT 1 FROM ${versionBlobs} WHERE ${versionBlobs.hash} = ${texts.hash}`
  return {
    putText: driver.prepare<never>(
      insertRow(
        texts,
        { hash: texts.hash, text: texts.text },
        { key: ['hash'], rest: sql`ON CONFLICT DO NOTHING` },
      ),
    ),
    textsAfter: driver.prepare<readonly [string]>(
      sql`SELECT ${texts.hash} FROM ${texts} WHERE ${after} ORDER BY ${texts.hash} LIMIT ${sql.placeholder('limit')}`,
    ),
    forgetTexts: driver.prepare<never>(
      sql`DELETE FROM ${texts} WHERE ${after} AND ${texts.hash} <= ${sql.placeholder('end')} AND NOT EXISTS (${needed})`,
    ),
  }
}

/** Reads and writes the texts of files in a transaction. */
export function createTextWriter(writes: TextWrites, session: Session): TextWriter {
  return {
    ...createTextReader(writes, session),
    async put(hash, text) {
      session.requireOpen()
      await writes.putText.send({ hash, text })
    },
    async sweep({ after, limit }) {
      session.requireOpen()
      const part = await writes.textsAfter.all({ after, limit })
      const [end = null] = part.at(-1) ?? []
      const forgotten = end === null ? 0 : await writes.forgetTexts.run({ after, end })
      return { next: part.length < limit ? null : end, forgotten }
    },
  }
}
