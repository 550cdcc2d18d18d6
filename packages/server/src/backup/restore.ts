import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { neededIn } from '../doctor/blobs.ts'
import { openFileReader } from '../doctor/reader.ts'
import type { MigrationListener } from '../migrate-store/progress.ts'
import { codeOf, OperatorError } from '../operator-error.ts'
import { dataFolderAt, type DataFolder } from '../storage/data-folder.ts'
import { copyBlobs } from './back-up.ts'
import { createPace } from './pace.ts'
import { backupAt, manifestIn, sha256Of, type BackupManifest } from './manifest.ts'

/** A backup to restore. */
export interface Restore {
  readonly source: string
  /** The data folder: new, empty, or left by a restore that was cut off. */
  readonly target: string
  readonly listener: MigrationListener
}

/** The result of a restore. */
export interface Restored {
  readonly folder: DataFolder
  readonly manifest: BackupManifest
}

// A file in a folder in which a restore is under way.
const underWay = 'restoring'

/**
 * Puts a backup into a data folder. The database gets its name at the end: until then the folder is
 * none. Errors: OperatorError when the source is no backup or damaged, or the target not empty.
 */
export async function restore({ source, target, listener }: Restore): Promise<Restored> {
  const manifest = await manifestIn(source).catch(absentIsNone)
  if (!manifest) throw new OperatorError(`There is no whole backup in ${source}: name the folder of one.`)
  const database = join(source, manifest.database)
  const hash = await sha256Of(database).catch(absentIsNone)
  if (hash !== manifest.sha256)
    throw new OperatorError(`${database} is ${hash === null ? 'missing' : 'damaged'}: use another backup.`)
  await prepareTarget(target)
  const folder = dataFolderAt(target)
  const missing = await restoreBlobs({ source, folder, database, listener })
  const unexpected = missing.filter((blob) => !manifest.missing.includes(blob))
  if (unexpected.length > 0)
    throw new OperatorError(
      `${unexpected.length} files of the backup are missing or damaged: ${unexpected.slice(0, 10).join(' ')}. Use another backup.`,
    )
  await restoreDatabase(database, folder)
  await rm(join(target, underWay))
  return { folder, manifest }
}

function absentIsNone(error: unknown): null {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
  throw error
}

async function prepareTarget(target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const names = await readdir(target)
  if (names.length > 0 && !names.includes(underWay))
    throw new OperatorError(
      `${target} is not empty: choose a new folder, and remove the old one when all is well.`,
    )
  const file = await open(join(target, underWay), 'w', 0o600)
  await file.close()
}

async function restoreBlobs({
  source,
  folder,
  database,
  listener,
}: Pick<Restore, 'source' | 'listener'> & { folder: DataFolder; database: string }): Promise<
  readonly string[]
> {
  const reader = openFileReader(database)
  try {
    const { openFileBlobs } = await import('@quire/blobs-fs')
    const from = await openFileBlobs({ folder: backupAt(source).blobs, minFreeBytes: 0 })
    const to = await openFileBlobs({ folder: folder.blobs })
    return await copyBlobs([...(await neededIn(reader))].toSorted(), {
      from,
      to,
      listener,
      pace: createPace(true),
    })
  } finally {
    await reader.close()
  }
}

async function restoreDatabase(database: string, folder: DataFolder): Promise<void> {
  const part = join(folder.path, 'quire.db.part')
  await copyFile(database, part)
  const file = await open(part, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, folder.database)
}
