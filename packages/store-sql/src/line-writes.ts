import type { Line } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Tables } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import type { Layer } from './layer.ts'
import type { LineTable } from './lines.ts'
import { insertInto, selected } from './row-of.ts'

/** Writes of the table of lines. */
export interface LineWrites {
  /** The number of a line, given now when it has none. */
  intern(layer: Layer, line: Line): Promise<number>
}

/** Prepares the writes of lines. */
export function prepareLineWrites(driver: SqlWriteDriver, { lines }: Tables): LineWrites {
  const { repositoryId, packageId } = lines
  const insert = driver.prepare<readonly [number]>(
    sql`${insertInto(lines, { repositoryId, packageId })} RETURNING ${sql.identifier('id')}`,
  )
  return {
    async intern(layer, line) {
      const known = layer.lines.numberOf(line)
      if (known !== null) return known
      const row = await insert.get({ repositoryId: line.repositoryId, packageId: line.packageId })
      if (!row) throw new TypeError('An inserted line returns its number.')
      layer.lines.add(row[0], line)
      return row[0]
    },
  }
}

/** Adds a line to a table where another process has begun it. */
export function prepareFindLine(
  driver: SqlDriver,
  { lines }: Tables,
  into: LineTable,
): (line: Line) => Promise<void> {
  const [repositoryId, packageId] = [sql.placeholder('repositoryId'), sql.placeholder('packageId')]
  const find = driver.prepare<readonly [number]>(
    sql`SELECT ${lines.id} FROM ${lines} WHERE ${lines.repositoryId} = ${repositoryId} AND coalesce(${lines.packageId}, '') = ${packageId}`,
  )
  return async (line) => {
    const row = await find.get({ repositoryId: line.repositoryId, packageId: line.packageId ?? '' })
    if (row) into.add(row[0], line)
  }
}

/** Fills a table with every line there is, each time it is called. Lines are as few as repositories and packages. */
export function prepareLoadLines(driver: SqlDriver, { lines }: Tables, into: LineTable): () => Promise<void> {
  const columns = [lines.id, lines.repositoryId, lines.packageId] as const
  const all = driver.prepare<readonly [number, string, string | null]>(
    sql`SELECT ${selected(columns)} FROM ${lines}`,
  )
  return async () => {
    for (const [number, repositoryId, packageId] of await all.all())
      into.add(number, { repositoryId, packageId })
  }
}
