import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, OperatorError } from '../operator-error.ts'
import { createPace, type Pace } from './pace.ts'

/** The format of backups that this release writes and reads. */
export const backupFormat = 1

/** `backup.json` in a backup. It is written last: what it names is whole. */
export const BackupManifest = z.object({
  format: z.int(),
  quire: z.string(),
  /** When the database was copied, ISO 8601. Everything acknowledged before is in the backup. */
  date: z.string(),
  /** The file with the database, in the same folder, and its SHA-256. */
  database: z.string().regex(/^quire-[0-9a-f]{16}\.db$/),
  sha256: z.string(),
  bytes: z.int(),
  /** Number of files that versions need. */
  blobs: z.int(),
  /** Hashes of files that were missing or damaged in the data folder. */
  missing: z.array(z.string()).readonly(),
})

/** What a backup contains. */
export type BackupManifest = z.output<typeof BackupManifest>

/** The paths in a backup. */
export function backupAt(path: string) {
  return { path, manifest: join(path, 'backup.json'), blobs: join(path, 'blobs') }
}

/** The manifest of a backup; null if the folder has none. Errors: OperatorError if it cannot be read. */
export async function manifestIn(path: string): Promise<BackupManifest | null> {
  const { manifest } = backupAt(path)
  const text = await readFile(manifest, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  return text === null ? null : parsed(manifest, text)
}

function parsed(path: string, text: string): BackupManifest {
  const damaged = (cause: unknown) =>
    new OperatorError(`${path} is damaged, or not one of a backup: use another backup.`, { cause })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw damaged(error)
  }
  const result = BackupManifest.safeParse(value)
  if (!result.success) throw damaged(result.error)
  const { format, quire } = result.data
  if (format <= backupFormat) return result.data
  throw new OperatorError(
    `${path} was written by Quire ${quire}, which is newer: restore it with that version.`,
  )
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(file: string, pace: Pace = createPace(true)): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 ** 2 })) {
    hash.update(chunk)
    await pace.rest()
  }
  return hash.digest('hex')
}
