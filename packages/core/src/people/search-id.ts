import type { RecordReader } from '../ports/index.ts'

/** The search id of a role, user or group: lower case, `_` for everything but letters and digits (DESIGN "Words"). */
export function searchIdOf(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]/g, '_')
}

/** The same where two addresses may give one: numbered then, as it is unique. */
export async function freeSearchId(records: RecordReader, id: string): Promise<string> {
  const wanted = searchIdOf(id)
  let searchId = wanted
  for (let number = 2; await records.find('user', `searchId:${searchId}`); number++)
    searchId = `${wanted}_${number}`
  return searchId
}
