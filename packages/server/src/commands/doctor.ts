import { checkBlobs } from '../doctor/blobs.ts'
import { examinedIn } from '../doctor/examined.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkFiles, checkNode } from '../doctor/files.ts'
import type { Check } from '../doctor/finding.ts'
import { checkSecurity } from '../doctor/security.ts'
import { checkServedDatabase, checkStore } from '../doctor/store.ts'
import { type DataFolder, dataFolderAt } from '../storage/data-folder.ts'
import type { StorageLocations } from '../storage/locations.ts'
import { storedLocationsOf, type StorageFlags } from './storage-flags.ts'

/** Options of `quire doctor`, parsed. */
export interface DoctorOptions extends StorageFlags {
  readonly json: boolean
  /** Checks permissions and secrets instead of files and data. */
  readonly security: boolean
}

/**
 * Checks everything that a server stores and prints the findings. Exit code 1 when something must
 * be fixed.
 */
export async function doctor({ json, security, ...flags }: DoctorOptions): Promise<void> {
  const locations = await storedLocationsOf(flags)
  const folder = dataFolderAt(locations.data, locations.key)
  const checks = security
    ? await checkSecurity(await examinedIn(folder, locations).read())
    : await checkAll(folder, locations)
  const isSound = checks.every(({ outcome }) => outcome !== 'fault')
  process.stdout.write(
    json
      ? `${JSON.stringify({ ok: isSound, checks }, null, 2)}\n`
      : `${checks.map(linesOf(checks)).join('\n')}\n`,
  )
  if (!isSound) process.exitCode = 1
}

async function checkAll(folder: DataFolder, locations: StorageLocations): Promise<Check[]> {
  const examined = examinedIn(folder, locations)
  const { database } = locations
  return [
    checkNode(),
    ...(await checkFiles(folder)),
    ...(await (database ? checkServedDatabase(database, folder) : checkStore(folder.database))),
    ...(await checkDatabase(examined.read)),
    ...(await checkBlobs(examined)),
  ]
}

function linesOf(checks: readonly Check[]): (check: Check) => string {
  const width = Math.max(14, ...checks.map(({ name }) => name.length))
  return ({ name, outcome, message }) => `${outcome.padEnd(6)} ${name.padEnd(width)} ${message}`
}
