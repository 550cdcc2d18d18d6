import { hash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { insertRow } from '../row-write.ts'

/**
 * From how many characters of JSON on a value is stored once, and versions point to it. At half,
 * the entries for a value of 5 KB take a twentieth of what they save; at twice, each version of an
 * item with a text of 10 KB stores it again.
 */
export const leastLarge = 8_192

/**
 * The same for the JSON of heads, which lists are answered from: putting a text together takes 10
 * µs, as long as reading 30 KB. At half, that would be noticed in lists; at twice, each write of a
 * head writes twice as much to the log.
 */
const LARGE_IN_JSON = 65_536

/** A value that is stored once for all versions and heads that have it. */
export interface LargeValue {
  /** The member of the body, or of an object in the body, that has it. */
  readonly name: string
  /** As JSON. */
  readonly text: string
  /** The SHA-256 of the text, in hex. */
  readonly hash: string
}

/** A text as it is stored: whole, or in parts that point to large values. */
export interface StoredText {
  /** Empty if there are parts. */
  readonly whole: string
  readonly parts: string | null
}

/** The large values of a body, in their order. `text` is the body as JSON. */
export function largeValuesOf(body: JsonObject, text: string): readonly LargeValue[] {
  if (text.length < leastLarge) return []
  return Object.entries(body).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap((member) => largeValue(...member))
      : largeValue(name, value),
  )
}

function largeValue(name: string, value: Json): LargeValue[] {
  if (typeof value !== 'string' && typeof value !== 'object') return []
  const text = JSON.stringify(value)
  if (text.length < leastLarge) return []
  return [{ name, text, hash: hash('sha256', text) }]
}

/** The values that are also large enough for the JSON of a head to point to them. */
export function largeInJson(values: readonly LargeValue[]): readonly LargeValue[] {
  return values.filter(({ text }) => text.length >= LARGE_IN_JSON)
}

/**
 * Cuts the values out of a JSON text. The parts are what is left, and between each two the hash of
 * the value that was there. Joined with the values, they are exactly the text. Values must come in
 * the order of the text: one that is not found stays, and so do those after it.
 */
export function cutText(text: string, values: readonly LargeValue[]): StoredText {
  const parts: string[] = []
  let done = 0
  for (const value of values) {
    const at = positionOf(value, text, done)
    if (at === null) break
    parts.push(text.slice(done, at), value.hash)
    done = at + value.text.length
  }
  if (parts.length === 0) return { whole: text, parts: null }
  return { whole: '', parts: JSON.stringify([...parts, text.slice(done)]) }
}

/**
 * Where the value stands as a member in the text, at `from` or later. Looks for the name of the
 * member, because looking for a long text can take quadratic time.
 */
function positionOf({ name, text: value }: LargeValue, text: string, from: number): number | null {
  const key = `${JSON.stringify(name)}:`
  for (let at = text.indexOf(key, from); at !== -1; at = text.indexOf(key, at + 1))
    if (text.startsWith(value, at + key.length)) return at + key.length
  return null
}

type ValueWrites = ReturnType<typeof prepareValueWrites>

/** The prepared statements about large values. */
export function prepareValueWrites(driver: SqlWriteDriver, { tables, rowsOf, forEachRow }: Dialect) {
  const { largeValues, versionValues, versions } = tables
  const { hash, value } = largeValues
  const { from, member } = rowsOf(sql.placeholder('hashes'))
  const of = sql.join(
    [versions.branch, versions.kind, versions.id, versions.version].map(
      (column) => sql`${column} = ${sql.placeholder(column.name)}`,
    ),
    sql` AND `,
  )
  const row = sql`(SELECT ${versions.row} FROM ${versions} WHERE ${of})`
  const isStored = sql`EXISTS (SELECT 1 FROM ${largeValues} WHERE ${hash} = ${member(0)}${forEachRow})`
  const isOfVersion = sql`EXISTS (SELECT 1 FROM ${versionValues} WHERE ${versionValues.hash} = ${member(0)} AND ${versionValues.version} = ${row}${forEachRow})`
  return {
    valuesOfVersion: driver.prepare<readonly [hash: string, isStored: number]>(
      sql`SELECT ${member(0)}, CASE WHEN ${isStored} THEN 1 ELSE 0 END FROM ${from} WHERE ${isOfVersion}`,
    ),
    insertLarge: driver.prepare<never>(insertRow(largeValues, { hash, value }, { key: ['hash'] })),
  }
}

/** The branch number, kind, id and number of a version. */
interface VersionKey {
  readonly branch: number
  readonly kind: string
  readonly id: string
  readonly version: number
}

/**
 * Stores those of the values that a version has and that are not stored yet. Call after writing the
 * version. Returns the values that the version has: its head may point to these.
 */
export async function storeValues(
  writes: ValueWrites,
  { branch, kind, id, version }: VersionKey,
  values: readonly LargeValue[],
): Promise<readonly LargeValue[]> {
  if (values.length === 0) return []
  const texts = new Map(values.map(({ hash, text }) => [hash, text]))
  const hashes = listText([...texts.keys()].map((hash) => [hash]))
  const rows = await writes.valuesOfVersion.all({ branch, kind, id, version, hashes })
  for (const [hash, isStored] of rows)
    if (isStored === 0) await writes.insertLarge.send({ hash, value: texts.get(hash) ?? '' })
  const ofVersion = new Set(rows.map(([hash]) => hash))
  return values.filter(({ hash }) => ofVersion.has(hash))
}
