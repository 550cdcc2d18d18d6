import { resolve } from 'node:path'
import { restore } from '../backup/restore.ts'
import { checkBlobs } from '../doctor/blobs.ts'
import { checkDatabase } from '../doctor/database.ts'
import { examinedIn } from '../doctor/examined.ts'
import { checkStore } from '../doctor/store.ts'
import { OperatorError } from '../operator-error.ts'
import { migrateProgress } from './migrate-progress.ts'

/** Options of `quire restore`, parsed. */
export interface RestoreOptions {
  readonly data: string
}

/**
 * Restores a backup into an empty data folder and examines the result. Errors: OperatorError, also
 * when the result is not sound.
 */
export async function restoreBackup(source: string, { data }: RestoreOptions): Promise<void> {
  const listener = migrateProgress(process.stdout)
  const { folder, manifest } = await restore({ source: resolve(source), target: resolve(data), listener })
  const examined = examinedIn(folder, { data })
  const checks = [
    ...(await checkStore(folder.database)),
    ...(await checkDatabase(examined.read)),
    ...(await checkBlobs(examined)),
  ]
  for (const { name, outcome, message } of checks) process.stdout.write(`${outcome} ${name} ${message}\n`)
  process.stdout.write(
    `Restored ${data} as of ${manifest.date}. Put the server key into ${folder.key}, readable by its owner only.\n`,
  )
  if (checks.some(({ outcome }) => outcome === 'fault'))
    throw new OperatorError('The restored data is not sound, see above: use another backup.')
}
