import type { EphemeraReader, EphemeraWriter } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import { excluded, names } from './row-of.ts'
import { insertRow } from './row-write.ts'
import type { Session } from './session.ts'

export type EphemeraReads = ReturnType<typeof prepareEphemeraReads>

export function prepareEphemeraReads(driver: SqlDriver, { tables: { ephemera } }: Dialect) {
  const stored = sql`${ephemera.key} = ${sql.placeholder('key')} AND ${ephemera.expires} > ${sql.placeholder('now')}`
  return {
    get: driver.prepare<readonly [string]>(sql`SELECT ${ephemera.value} FROM ${ephemera} WHERE ${stored}`),
  }
}

/** Reads expiring values in a session. */
export function createEphemeraReader(reads: EphemeraReads, session: Session): EphemeraReader {
  return {
    async get(key, now) {
      session.requireOpen()
      const row = await reads.get.get({ key, now })
      return row ? row[0] : null
    },
  }
}

export type EphemeraWrites = ReturnType<typeof prepareEphemeraWrites>

export function prepareEphemeraWrites(driver: SqlWriteDriver, { tables: { ephemera } }: Dialect) {
  const { key, value, expires } = ephemera
  const orReplace = sql`ON CONFLICT (${names([key])}) DO UPDATE SET ${excluded([value, expires])}`
  const expired = sql`${sql.identifier('expires')} <= ${sql.placeholder('now')}`
  return {
    put: driver.prepare<never>(
      insertRow(ephemera, { key, value, expires }, { key: ['key'], rest: orReplace, repeats: false }),
    ),
    take: driver.prepare<readonly [string, number]>(
      sql`DELETE FROM ${ephemera} WHERE ${key} = ${sql.placeholder('key')} RETURNING ${names([value, expires])}`,
    ),
    get: driver.prepare<readonly [string, number]>(
      sql`SELECT ${value}, ${expires} FROM ${ephemera} WHERE ${key} = ${sql.placeholder('key')} AND NOT (${expired})`,
    ),
    sweep: driver.prepare<never>(
      sql`DELETE FROM ${ephemera} WHERE ${key} IN (SELECT ${key} FROM ${ephemera} WHERE ${expired} ORDER BY ${expires} LIMIT ${sql.placeholder('limit')})`,
    ),
  }
}

/** Reads and writes expiring values in a transaction. */
export function createEphemeraWriter(
  { reads, writes }: { reads: EphemeraReads; writes: EphemeraWrites },
  session: Session,
): EphemeraWriter {
  return {
    ...createEphemeraReader(reads, session),
    async put(key, value, expires) {
      session.requireOpen()
      await writes.put.send({ key, value, expires })
    },
    async take(key, now) {
      session.requireOpen()
      const row = await writes.take.get({ key })
      return row && row[1] > now ? row[0] : null
    },
    async increment(key, now, expires) {
      session.requireOpen()
      const row = await writes.get.get({ key, now })
      const count = Number(row?.[0] ?? 0) + 1
      await writes.put.send({ key, value: String(count), expires: row?.[1] ?? expires })
      return count
    },
    async sweep(now, limit) {
      session.requireOpen()
      return writes.sweep.run({ now, limit })
    },
  }
}
