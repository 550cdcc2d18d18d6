import type { RecordReader } from '../ports/index.ts'

/**
 * The search id of a role, user or group: lower case, `_` for everything but letters and digits
 * (DESIGN "Words").
 */
export function searchIdOf(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]/g, '_')
}

/**
 * A search id that no user has yet. A number is added if another user's address results in the same
 * search id.
 */
export async function freeSearchId(records: RecordReader, id: string): Promise<string> {
  const base = searchIdOf(id)
  let searchId = base
  for (let number = 2; await records.find('user', `searchId:${searchId}`); number++)
    searchId = `${base}_${number}`
  return searchId
}
