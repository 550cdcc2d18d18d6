import { recordKeys, type RecordKind, type RecordReader } from '../ports/index.ts'

/** What a record of a kind is called now; null when it is gone, has no name, or is no record. */
export async function recordName(records: RecordReader, kind: string, id: string): Promise<string | null> {
  const record: object | null = isRecordKind(kind) ? await records.get(kind, id) : null
  return record && 'name' in record && typeof record.name === 'string' ? record.name : null
}

function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(recordKeys, kind)
}
