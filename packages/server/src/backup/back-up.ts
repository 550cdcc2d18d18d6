import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Blobs } from '@quire/core/ports'
import { BlobCorrupt } from '@quire/core/ports'
import { neededIn } from '../doctor/blobs.ts'
import { openFileReader } from '../doctor/reader.ts'
import type { MigrationListener } from '../migrate-store/progress.ts'
import { OperatorError } from '../operator-error.ts'
import type { DataFolder } from '../storage/data-folder.ts'
import { openBlobs } from '../storage/storage.ts'
import { replacePrivateFile } from '../storage/private-file.ts'
import { serverVersion } from '../version.ts'
import type { Pace } from './pace.ts'
import { backupAt, backupFormat, manifestIn, sha256Of, type BackupManifest } from './manifest.ts'

/** A backup to make. */
export interface BackUp {
  readonly folder: DataFolder
  /** The folder of the backup: new, empty, or an earlier backup, of which only the difference is copied. */
  readonly target: string
  readonly listener: MigrationListener
  readonly pace: Pace
}

/**
 * Backs up a data folder, also while a server uses it: first one moment of the database, then the
 * files that its versions need. The target becomes the new backup at the end, in one step; until
 * then it is the old one. The server key is never copied.
 * Errors: OperatorError when the target holds something else, or the database is damaged.
 */
export async function backUp(work: BackUp): Promise<BackupManifest> {
  const { target, pace } = work
  const before = await prepareTarget(target)
  const part = join(target, `${randomBytes(6).toString('hex')}.part`)
  try {
    const { date, blobs, missing } = await copyMoment({ ...work, part })
    await syncFile(part)
    const sha256 = await sha256Of(part, pace)
    const database = `quire-${sha256.slice(0, 16)}.db`
    const { size: bytes } = await stat(part)
    await rename(part, join(target, database))
    const manifest = { format: backupFormat, quire: serverVersion(), date, database, sha256, bytes }
    const complete: BackupManifest = { ...manifest, blobs: blobs.size, missing }
    await replacePrivateFile(backupAt(target).manifest, Buffer.from(`${JSON.stringify(complete, null, 2)}\n`))
    if (before && before.database !== database) await rm(join(target, before.database), { force: true })
    await removeUnneeded(target, blobs)
    return complete
  } finally {
    await rm(part, { force: true })
  }
}

/** The earlier backup in the target; null if there is none. Errors: OperatorError. */
async function prepareTarget(target: string): Promise<BackupManifest | null> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const before = await manifestIn(target)
  if (before) return before
  const isOwn = (name: string) =>
    name === 'blobs' || /\.part(?:-\w+)?$/.test(name) || /^quire-\w+\.db$/.test(name)
  const names = await readdir(target)
  const other = names.find((name) => !isOwn(name))
  if (other === undefined) {
    // Left by a backup that was cut off. Its files are used again.
    for (const name of names) if (name !== 'blobs') await rm(join(target, name), { force: true })
    return null
  }
  throw new OperatorError(`${target} holds ${other}, and is no backup: choose an empty folder.`)
}

interface Copied {
  readonly date: string
  readonly blobs: ReadonlySet<string>
  /** Files that are missing or damaged, at this and at an earlier moment. */
  readonly missing: readonly string[]
}

/**
 * Copies a moment of the database and its files. A file that a later moment does not need any more
 * may be swept while it is copied: then a later moment is copied, once.
 */
async function copyMoment(work: BackUp & { readonly part: string }): Promise<Copied> {
  const first = await copyOnce(work)
  return first.missing.length === 0 ? first : copyOnce(work)
}

async function copyOnce(work: BackUp & { readonly part: string }): Promise<Copied> {
  const { folder, target, listener, part, pace } = work
  await rm(part, { force: true })
  const date = new Date().toISOString()
  await copyDatabase(folder.database, part, listener)
  await pace.rest()
  const reader = openFileReader(part)
  try {
    await requireSound(reader, folder.database)
    const blobs = await neededIn(reader)
    const from = await openBlobs(folder, { data: folder.path })
    const { openFileBlobs } = await import('@quire/blobs-fs')
    const to = await openFileBlobs({ folder: backupAt(target).blobs })
    return { date, blobs, missing: await copyBlobs([...blobs].toSorted(), { from, to, listener, pace }) }
  } finally {
    await reader.close()
  }
}

// All at once, without rest: a moment that is held for long keeps the log from being merged, which
// costs the writers more. SQLite would also begin again when somebody writes between two steps.
const everyPage = 0x7fff_ffff

/** Copies a moment of the database: 1 GB a second. */
async function copyDatabase(source: string, file: string, listener: MigrationListener): Promise<void> {
  const { size: total } = await stat(source)
  listener.begin({ name: 'copying the database', unit: 'bytes', total, before: 0 })
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
  try {
    await backup(database, file, { rate: everyPage })
  } finally {
    database.close()
  }
  // Without a log of its own, the copy is a single file.
  const copy = new DatabaseSync(file)
  copy.exec('PRAGMA journal_mode = DELETE')
  copy.close()
  listener.moved(total, 'quire.db')
  listener.end()
}

async function requireSound(reader: ReturnType<typeof openFileReader>, file: string): Promise<void> {
  const rows = await reader.all('PRAGMA quick_check(1)')
  const [text] = rows.map(({ quick_check: found }) => String(found))
  if (text === 'ok') return
  throw new OperatorError(`${file} is damaged (${text}): nothing was backed up. Restore an earlier backup.`)
}

interface Between {
  readonly from: Blobs
  readonly to: Blobs
  readonly listener: MigrationListener
  readonly pace: Pace
}

/** Copies what is not there yet, and compares it with its hash. Returns what is missing or damaged. */
export async function copyBlobs(
  hashes: readonly string[],
  { from, to, listener, pace }: Between,
): Promise<readonly string[]> {
  listener.begin({ name: 'copying files', unit: 'steps', total: hashes.length, before: 0 })
  const missing: string[] = []
  for (const hash of hashes) {
    if (!(await to.stat(hash)) && !(await copyBlob(hash, { from, to }))) missing.push(hash)
    listener.moved(1, hash)
    await pace.rest()
  }
  listener.end()
  return missing
}

async function copyBlob(hash: string, { from, to }: Pick<Between, 'from' | 'to'>): Promise<boolean> {
  try {
    const bytes = await from.read(hash)
    if (!bytes) return false
    await to.put(bytes)
    return true
  } catch (error) {
    if (error instanceof BlobCorrupt) return false
    throw error
  }
}

async function removeUnneeded(target: string, needed: ReadonlySet<string>): Promise<void> {
  const { openFileBlobs } = await import('@quire/blobs-fs')
  const blobs = await openFileBlobs({ folder: backupAt(target).blobs })
  for await (const { hash } of blobs.list()) if (!needed.has(hash)) await blobs.delete(hash)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
