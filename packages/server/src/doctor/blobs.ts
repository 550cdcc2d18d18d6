import type { Blobs } from '@quire/core/ports'
import { fault, note, ok, type Check } from './finding.ts'
import type { Reader } from './reader.ts'

/** What is looked at. */
export interface Examined {
  /** Opens the database. */
  readonly read: () => Promise<Reader> | Reader
  /** Opens the binaries; null where there are none yet: opening makes what is not there, and a look changes nothing. */
  readonly blobs: () => Promise<Blobs | null>
}

/**
 * Reads every binary that is needed and compares it with its name, and what is there with what versions need (TRUST F13, F14). Works
 * while a server runs: the rows are read first, and what is put later is no orphan. Takes as long as reading all binaries does.
 */
export async function checkBlobs({ read, blobs }: Examined): Promise<Check[]> {
  const start = Date.now()
  const needed = await neededHashes(read)
  if (!needed) return [note('files', 'not looked at: the database does not say which are needed')]
  try {
    const opened = await blobs()
    const seen = opened ? await look(opened, { needed, start }) : nothing(needed)
    return [corruptCheck(seen), missingCheck(seen), orphanedCheck(seen)]
  } catch (error) {
    return [fault('files', error instanceof Error ? error.message : String(error))]
  }
}

/** The hashes that versions need, as `hash`. */
const needs: Readonly<Record<Reader['kind'], string>> = {
  sqlite: `SELECT DISTINCT json_extract(value, '$[0]') AS hash
    FROM versions, json_each(versions.blobs) WHERE versions.blobs IS NOT NULL`,
  postgresql: `SELECT DISTINCT blob ->> 0 AS hash
    FROM versions, jsonb_array_elements(versions.blobs::jsonb) AS blob WHERE versions.blobs IS NOT NULL`,
}

/** Null for a database that cannot be read, or whose schema knows no binaries yet. */
async function neededHashes(read: Examined['read']): Promise<ReadonlySet<string> | null> {
  let reader: Reader | undefined
  try {
    reader = await read()
    const rows = await reader.all(needs[reader.kind])
    return new Set(rows.map(({ hash }) => String(hash)))
  } catch {
    return null
  } finally {
    await reader?.close()
  }
}

/** What was found. */
interface Seen {
  readonly missing: readonly string[]
  readonly corrupt: readonly string[]
  readonly orphaned: readonly string[]
  readonly orphanedBytes: number
  readonly sound: number
  readonly soundBytes: number
}

function nothing(needed: ReadonlySet<string>): Seen {
  return { missing: [...needed], corrupt: [], orphaned: [], orphanedBytes: 0, sound: 0, soundBytes: 0 }
}

interface NeededBlobs {
  readonly needed: ReadonlySet<string>
  /** Unix ms at which the rows were read. */
  readonly start: number
}

async function look(blobs: Blobs, { needed, start }: NeededBlobs): Promise<Seen> {
  const absent = new Set(needed)
  const corrupt: string[] = []
  const orphaned: string[] = []
  let [sound, soundBytes, orphanedBytes] = [0, 0, 0]
  for await (const { hash, size, writtenDate } of blobs.list()) {
    absent.delete(hash)
    if (needed.has(hash)) {
      const isCorrupt = (await blobs.verify(hash)) === 'corrupt'
      if (isCorrupt) corrupt.push(hash)
      sound += isCorrupt ? 0 : 1
      soundBytes += isCorrupt ? 0 : size
    } else if (writtenDate < start) {
      orphaned.push(hash)
      orphanedBytes += size
    }
  }
  return { missing: await stillMissing(blobs, absent), corrupt, orphaned, orphanedBytes, sound, soundBytes }
}

/** One put while the list was read, behind its place in it, is not missing. */
async function stillMissing(blobs: Blobs, absent: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = []
  for (const hash of absent) if (!(await blobs.stat(hash))) missing.push(hash)
  return missing
}

function corruptCheck({ corrupt, sound, soundBytes }: Seen): Check {
  const name = 'corrupt files'
  if (corrupt.length === 0) return ok(name, `none of ${sound}, ${soundBytes} bytes`)
  const words = `${corrupt.length} are not what their names say: restore them from a backup`
  return { ...fault(name, `${words}: ${named(corrupt)}`), hashes: corrupt }
}

function missingCheck({ missing }: Seen): Check {
  const name = 'missing files'
  if (missing.length === 0) return ok(name, 'none')
  const words = `${missing.length} that versions need are not there: restore them from a backup`
  return { ...fault(name, `${words}: ${named(missing)}`), hashes: missing }
}

// Those of the last day may be of saves under way or given up, and older ones are swept.
function orphanedCheck({ orphaned, orphanedBytes }: Seen): Check {
  const name = 'orphaned files'
  if (orphaned.length === 0) return ok(name, 'none')
  const words = `${orphaned.length} that nothing needs, ${orphanedBytes} bytes`
  return { ...note(name, `${words}: ${named(orphaned)}`), hashes: orphaned }
}

/** Hashes that a message names. All of them are in the JSON. */
const mostNamed = 10

function named(hashes: readonly string[]): string {
  const more = hashes.length - mostNamed
  return hashes.slice(0, mostNamed).join(' ') + (more > 0 ? ` and ${more} more` : '')
}
