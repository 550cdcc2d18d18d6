import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { commonFaults, findFaults } from '../kill/faults.ts'
import { contentPath } from './append.ts'
import { ask } from './ask.ts'
import { repository, type Location } from './location.ts'

/** SHA-256 of bytes, as blobs are named. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The hash of the bytes that an item answers. Errors: any status but 200, and an answer that breaks off. */
export async function hashOfItem(location: Location, itemId: string): Promise<string> {
  const { status, body } = await ask(location, { path: contentPath(itemId) })
  if (status !== 200) throw new Error(`${itemId} is ${status}: ${body.toString()}`)
  return hashOf(body)
}

/** How many items were made of what was uploaded. */
export async function countItems(location: Location): Promise<number> {
  const { body } = await ask(location, { path: `/api/items/${repository}?limit=1` })
  const { count }: { count: number } = JSON.parse(body.toString())
  return count
}

/** What is wrong in the database of a server that has ended, in words. */
export function faultsIn(location: Location): string[] {
  const database = new DatabaseSync(join(location.data, 'quire.db'), { readOnly: true })
  try {
    return findFaults(database, commonFaults)
  } finally {
    database.close()
  }
}

/** The files of a folder of binaries: `temp` of work under way, `partial` of uploads, `blobs`. */
export function filesIn(location: Location, folder: 'blobs' | 'derived' | 'partial' | 'temp'): string[] {
  return readdirSync(join(location.data, 'blobs', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}
