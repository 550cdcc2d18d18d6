import { QuireError } from '@quire/contract'
import type { RecordKind, RecordKinds, Stored } from '../ports/index.ts'
import { Presented } from './answer.ts'
import { requireMatch, type Call } from './call.ts'

/** The entity tag of a record's revision. */
export function recordTag({ id, revision }: { id: string; revision: number }): string {
  return `${id}.${revision}`
}

/** A record as answered: without its revision, which is in the ETag. */
export function presentRecord<K extends RecordKind>(stored: Stored<K>): Presented<RecordKinds[K]> {
  return new Presented(JSON.stringify({ ...stored, revision: undefined }), recordTag(stored))
}

/** A record without its revision. */
export function plainRecord<R extends { readonly revision: number }>(stored: R): Omit<R, 'revision'> {
  const { revision: _revision, ...record } = stored
  return record
}

/** The members of a patch that were sent. */
export function sentMembers<T extends object>(
  patch: T | undefined,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Errors: `not_found` naming what was asked for when null; `precondition_failed` when If-Match names another revision. */
export function requireRecord<K extends RecordKind>(
  call: Call,
  found: Stored<K> | null,
  what: string,
): Stored<K> {
  if (!found) throw new QuireError('not_found', `There is no ${what}.`)
  requireMatch(call, recordTag(found))
  return found
}
