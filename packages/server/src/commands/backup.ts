import { resolve } from 'node:path'
import { backUp } from '../backup/back-up.ts'
import { createPace } from '../backup/pace.ts'
import { OperatorError } from '../operator-error.ts'
import { requireDataFolder } from '../storage/data-folder.ts'
import { migrateProgress } from './migrate-progress.ts'

/** Options of `quire backup`, parsed. */
export interface BackupOptions {
  readonly data: string
  /** Does not give way to a server. */
  readonly fast: boolean
}

/**
 * Backs up a data folder, whether a server uses it or not. Errors: OperatorError, also when files
 * were missing or damaged: then everything else is in the backup.
 */
export async function makeBackup(target: string, { data, fast }: BackupOptions): Promise<void> {
  const folder = await requireDataFolder(data)
  const listener = migrateProgress(process.stdout)
  const { date, blobs, missing } = await backUp({
    folder,
    target: resolve(target),
    listener,
    pace: createPace(fast),
  })
  process.stdout.write(
    `Backed up ${data} as of ${date} with ${blobs - missing.length} files to ${target}\n` +
      `Not in it: ${folder.key}, without which its secrets cannot be opened. Keep a copy elsewhere.\n`,
  )
  if (missing.length > 0)
    throw new OperatorError(
      `${missing.length} files are missing or damaged in ${folder.blobs}, and not in the backup: ${missing.slice(0, 10).join(' ')}`,
    )
}
