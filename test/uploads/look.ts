import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { commonFaults, findFaults } from '../kill/faults.ts'
import { contentPath } from './append.ts'
import { ask } from './ask.ts'
import { repository, type Location } from './location.ts'

/** SHA-256, which names blobs. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The hash of an item's bytes. Errors: any status but 200, or an answer that breaks off. */
export async function hashOfItem(location: Location, itemId: string): Promise<string> {
  const { status, body } = await ask(location, { path: contentPath(itemId) })
  if (status !== 200) throw new Error(`${itemId} was answered with ${status}: ${body.toString()}`)
  return hashOf(body)
}

/** The number of items from uploads. */
export async function countItems(location: Location): Promise<number> {
  const { body } = await ask(location, { path: `/api/items/${repository}?limit=1` })
  const { count }: { count: number } = JSON.parse(body.toString())
  return count
}

/** Faults in the database of a stopped server, as descriptions. */
export function faultsIn(location: Location): string[] {
  const database = new DatabaseSync(join(location.data, 'quire.db'), { readOnly: true })
  try {
    return findFaults(database, commonFaults)
  } finally {
    database.close()
  }
}

/**
 * The files in a folder of blobs: `temp` holds files being written, `partial` unfinished uploads.
 */
export function filesIn(location: Location, folder: 'blobs' | 'derived' | 'partial' | 'temp'): string[] {
  return readdirSync(join(location.data, 'blobs', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}
