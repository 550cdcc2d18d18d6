import { keysOf, type RecordKind, type RecordWriter } from '@quire/core/ports'
import type { Footprint } from './footprint.ts'

const recordKeys = {
  one: (kind: RecordKind, id: string) => `record ${kind} ${id}`,
  /** A unique key of a record. */
  named: (kind: RecordKind, key: string) => `named ${kind} ${key}`,
  all: (kind: RecordKind) => `records ${kind}`,
} as const

/** Notes what a transaction reads and writes of records. Every method is named. */
export function watchRecords(records: RecordWriter, footprint: Footprint): RecordWriter {
  const write = (kind: RecordKind, id: string) =>
    footprint.write(recordKeys.one(kind, id), recordKeys.all(kind))
  return {
    get(kind, id) {
      footprint.read(recordKeys.one(kind, id))
      return records.get(kind, id)
    },
    async find(kind, key) {
      footprint.read(recordKeys.named(kind, key))
      const found = await records.find(kind, key)
      if (found) footprint.read(recordKeys.one(kind, found.id))
      return found
    },
    list(kind) {
      footprint.read(recordKeys.all(kind))
      return records.list(kind)
    },
    generation: () => records.generation(),
    put(kind, record, expectedRevision) {
      const keys = keysOf(kind, record).map((key) => recordKeys.named(kind, key))
      footprint.read(recordKeys.one(kind, record.id), ...keys)
      footprint.write(...keys)
      write(kind, record.id)
      return records.put(kind, record, expectedRevision)
    },
    delete(kind, id, expectedRevision) {
      footprint.read(recordKeys.one(kind, id))
      write(kind, id)
      return records.delete(kind, id, expectedRevision)
    },
  }
}
