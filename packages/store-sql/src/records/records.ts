import {
  type RecordKind,
  type RecordReader,
  type RecordWriter,
  type Stored,
  StoreConflict,
} from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver, SqlWriteDriver } from '../driver.ts'
import type { Layer } from '../layer.ts'
import { listText } from '../list-text.ts'
import { type RowOf, assignments, insertInto, names, selected } from '../row-of.ts'
import { deleteRows } from '../row-write.ts'
import type { Session } from '../session.ts'
import { type CachedRecord, type RecordCache, retain } from './record-cache.ts'

/** Ensures that the committed records of a kind are in memory. */
export type LoadKind = (kind: RecordKind) => Promise<void>

/**
 * Loads a kind on first use, and starts again if something is committed meanwhile. While other
 * processes' changes do not arrive, the kind is loaded on each call.
 */
export function prepareLoad(
  driver: SqlDriver,
  { tables: { records } }: Dialect,
  { cache, isReceived }: { cache: RecordCache; isReceived: () => boolean },
): LoadKind {
  const columns = [records.revision, records.data] as const
  const all = driver.prepare<RowOf<typeof columns>>(
    sql`SELECT ${selected(columns)} FROM ${records} WHERE ${records.kind} = ${sql.placeholder('kind')}`,
  )
  return async (kind) => {
    let isFresh = isReceived()
    while (!isFresh || !cache.isLoaded(kind)) {
      const before = cache.changes()
      const rows = await all.all({ kind })
      if (cache.changes() !== before) continue
      const stored = rows.map(([revision, data]) => retain(kind, data, revision))
      cache.load(kind, stored)
      isFresh = true
    }
  }
}

/** Reads records, from memory alone once a kind is loaded. */
export function createRecordReader(load: LoadKind, session: Session): RecordReader {
  const { records } = session
  const ready = (kind: RecordKind) => {
    session.requireOpen()
    return load(kind)
  }
  return {
    async get(kind, id) {
      await ready(kind)
      return ofKind(kind, records.get(kind, id))
    },
    async find(kind, key) {
      await ready(kind)
      return ofKind(kind, records.find(kind, key))
    },
    async list(kind) {
      await ready(kind)
      return records.list(kind).flatMap((stored) => ofKind(kind, stored) ?? [])
    },
    generation: () => records.generation(),
  }
}

/**
 * The one cast: records of all kinds are stored together and become records of their own kind here.
 */
function ofKind<K extends RecordKind>(_kind: K, stored: CachedRecord | null): Stored<K> | null {
  return stored && (stored as CachedRecord<K>).record
}

export type RecordWrites = ReturnType<typeof prepareRecordWrites>

export function prepareRecordWrites(
  driver: SqlWriteDriver,
  { tables: { records, recordKeys }, rowsOf }: Dialect,
) {
  const { kind, id, revision, data } = records
  const unmoved = sql`${kind} = ${sql.placeholder('kind')} AND ${id} = ${sql.placeholder('id')} AND ${revision} = ${sql.placeholder('expected')}`
  const keys = rowsOf(sql`${sql.placeholder('keys')}`)
  const keyColumns = names([recordKeys.kind, recordKeys.id, recordKeys.key])
  return {
    insert: driver.prepare<never>(
      sql`${insertInto(records, { kind, id, revision, data })} ON CONFLICT DO NOTHING`,
    ),
    update: driver.prepare<never>(
      sql`UPDATE ${records} SET ${assignments({ revision, data })} WHERE ${unmoved}`,
    ),
    delete: driver.prepare<never>(sql`DELETE FROM ${records} WHERE ${unmoved}`),
    insertKeys: driver.prepare<never>(
      sql`INSERT INTO ${recordKeys} (${keyColumns}) SELECT ${sql.placeholder('kind')}, ${sql.placeholder('id')}, ${keys.member(0)} FROM ${keys.from} WHERE TRUE ON CONFLICT DO NOTHING`,
    ),
    deleteKeys: driver.prepare<never>(deleteRows(recordKeys, { kind: recordKeys.kind, id: recordKeys.id })),
  }
}

/** Reads and writes records in a transaction. */
export function createRecordWriter(load: LoadKind, writes: RecordWrites, layer: Layer): RecordWriter {
  const { records } = layer
  return {
    ...createRecordReader(load, layer),
    async put(kind, record, expectedRevision) {
      layer.requireOpen()
      await load(kind)
      const revision = expectedRevision + 1
      const data = JSON.stringify(record)
      const stored = retain(kind, data, revision)
      requireFreeKeys(layer, kind, { stored, expectedRevision })
      await writeRecord(writes, { kind, id: stored.id, revision, data, expected: expectedRevision })
      await writeKeys(writes, kind, stored)
      records.put(kind, stored)
      return stored.record
    },
    async delete(kind, id, expectedRevision) {
      layer.requireOpen()
      await load(kind)
      if ((await writes.delete.run({ kind, id, expected: expectedRevision })) === 0)
        throw new StoreConflict('stale', id)
      await writes.deleteKeys.send({ kind, id })
      records.delete(kind, id)
    },
  }
}

function requireFreeKeys(
  { records }: Layer,
  kind: RecordKind,
  { stored, expectedRevision }: { stored: CachedRecord; expectedRevision: number },
): void {
  if ((records.get(kind, stored.id)?.record.revision ?? 0) !== expectedRevision)
    throw new StoreConflict('stale', stored.id)
  for (const key of stored.keys) {
    const owner = records.find(kind, key)
    if (owner && owner.id !== stored.id) throw new StoreConflict('key', key)
  }
}

interface RecordValues {
  readonly kind: RecordKind
  readonly id: string
  readonly revision: number
  readonly data: string
  readonly expected: number
}

async function writeRecord(writes: RecordWrites, { expected, ...values }: RecordValues): Promise<void> {
  const changed =
    expected === 0 ? await writes.insert.run({ ...values }) : await writes.update.run({ ...values, expected })
  if (changed === 0) throw new StoreConflict('stale', values.id)
}

/**
 * Replaces the record's keys. A key that another process took meanwhile is missing from the row
 * count.
 */
async function writeKeys(writes: RecordWrites, kind: RecordKind, { id, keys }: CachedRecord): Promise<void> {
  const distinct = [...new Set(keys)]
  await writes.deleteKeys.send({ kind, id })
  if (distinct.length === 0) return
  const written = await writes.insertKeys.run({
    kind,
    id,
    keys: listText(distinct.map((key) => [key])),
  })
  if (written < distinct.length) throw new StoreConflict('key', distinct[0] ?? id)
}
