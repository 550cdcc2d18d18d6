import type { Blobs } from '@quire/core/ports'
import { fault, note, ok, type Check } from './finding.ts'
import type { Reader } from './reader.ts'

/** What the doctor examines. */
export interface Examined {
  /** Opens the database. */
  readonly read: () => Promise<Reader> | Reader
  /**
   * Opens the binaries. Null when there are none yet: opening them would create the storage, and a
   * check changes nothing.
   */
  readonly blobs: () => Promise<Blobs | null>
}

/**
 * Reads every binary that versions need, compares it with its hash, and lists binaries that are
 * missing or that no version needs (TRUST F13, F14). Safe while a server runs: the rows are read
 * first, and binaries written later do not count as orphaned. Takes as long as reading all
 * binaries.
 */
export async function checkBlobs({ read, blobs }: Examined): Promise<Check[]> {
  const start = Date.now()
  const needed = await neededHashes(read)
  if (!needed) return [note('files', 'not checked: the needed files cannot be read from the database')]
  try {
    const opened = await blobs()
    const report = opened ? await examine(opened, { needed, start }) : nothing(needed)
    return [corruptCheck(report), missingCheck(report), orphanedCheck(report)]
  } catch (error) {
    return [fault('files', error instanceof Error ? error.message : String(error))]
  }
}

/** Queries for the hashes that versions need, as `hash`. */
const needs: Readonly<Record<Reader['kind'], string>> = {
  sqlite: `SELECT DISTINCT json_extract(value, '$[0]') AS hash
    FROM versions, json_each(versions.blobs) WHERE versions.blobs IS NOT NULL`,
  postgresql: `SELECT DISTINCT blob ->> 0 AS hash
    FROM versions, jsonb_array_elements(versions.blobs::jsonb) AS blob WHERE versions.blobs IS NOT NULL`,
}

/** The hashes of the binaries that versions need. Errors: what the driver throws. */
export async function neededIn(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.all(needs[reader.kind])
  return new Set(rows.map(({ hash }) => String(hash)))
}

/** Null for a database that cannot be read, or whose schema has no binaries yet. */
async function neededHashes(read: Examined['read']): Promise<ReadonlySet<string> | null> {
  let reader: Reader | undefined
  try {
    reader = await read()
    return await neededIn(reader)
  } catch {
    return null
  } finally {
    await reader?.close()
  }
}

/** The result of examining the binaries. */
interface BlobReport {
  readonly missing: readonly string[]
  readonly corrupt: readonly string[]
  readonly orphaned: readonly string[]
  readonly orphanedBytes: number
  readonly sound: number
  readonly soundBytes: number
}

function nothing(needed: ReadonlySet<string>): BlobReport {
  return { missing: [...needed], corrupt: [], orphaned: [], orphanedBytes: 0, sound: 0, soundBytes: 0 }
}

interface NeededBlobs {
  readonly needed: ReadonlySet<string>
  /** When the rows were read, in Unix milliseconds. */
  readonly start: number
}

async function examine(blobs: Blobs, { needed, start }: NeededBlobs): Promise<BlobReport> {
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

/**
 * The list may have missed a binary that was written while it was read. Such a binary is not
 * missing.
 */
async function stillMissing(blobs: Blobs, absent: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = []
  for (const hash of absent) if (!(await blobs.stat(hash))) missing.push(hash)
  return missing
}

function corruptCheck({ corrupt, sound, soundBytes }: BlobReport): Check {
  const name = 'corrupt files'
  if (corrupt.length === 0) return ok(name, `none of ${sound}, ${soundBytes} bytes`)
  const words = `${corrupt.length} do not match their SHA-256: restore them from a backup`
  return { ...fault(name, `${words}: ${named(corrupt)}`), hashes: corrupt }
}

function missingCheck({ missing }: BlobReport): Check {
  const name = 'missing files'
  if (missing.length === 0) return ok(name, 'none')
  const words = `${missing.length} needed by versions do not exist: restore them from a backup`
  return { ...fault(name, `${words}: ${named(missing)}`), hashes: missing }
}

// Orphans of the last day may belong to saves that are under way or were abandoned. Older ones are
// swept.
function orphanedCheck({ orphaned, orphanedBytes }: BlobReport): Check {
  const name = 'orphaned files'
  if (orphaned.length === 0) return ok(name, 'none')
  const words = `${orphaned.length} not needed by any version, ${orphanedBytes} bytes`
  return { ...note(name, `${words}: ${named(orphaned)}`), hashes: orphaned }
}

/** Most hashes that a message lists. The JSON output lists all of them. */
const mostNamed = 10

function named(hashes: readonly string[]): string {
  const more = hashes.length - mostNamed
  return hashes.slice(0, mostNamed).join(' ') + (more > 0 ? ` and ${more} more` : '')
}
