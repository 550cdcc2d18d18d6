import { requireDataFolder, type DataFolder } from '../data/data-folder.ts'
import { checkBlobs } from '../doctor/blobs.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkFiles, checkNode } from '../doctor/files.ts'
import type { Check } from '../doctor/finding.ts'
import { checkSecurity } from '../doctor/security.ts'
import { checkStore } from '../doctor/store.ts'

/** Options of `quire doctor`, parsed. */
export interface DoctorOptions {
  readonly data: string
  readonly json: boolean
  /** Looks at who may do what in place of the files. */
  readonly security: boolean
}

/** Looks at everything in a data folder and prints what it saw. Exit code 1 when something must be put right. */
export async function doctor({ data, json, security }: DoctorOptions): Promise<void> {
  const folder = await requireDataFolder(data)
  const checks = security ? await checkSecurity(folder.database) : await checkAll(folder)
  const isSound = checks.every(({ outcome }) => outcome !== 'fault')
  process.stdout.write(
    json
      ? `${JSON.stringify({ ok: isSound, checks }, null, 2)}\n`
      : `${checks.map(linesOf(checks)).join('\n')}\n`,
  )
  if (!isSound) process.exitCode = 1
}

async function checkAll(folder: DataFolder): Promise<Check[]> {
  return [
    checkNode(),
    ...(await checkFiles(folder)),
    ...(await checkStore(folder.database)),
    ...checkDatabase(folder.database),
    ...(await checkBlobs(folder)),
  ]
}

function linesOf(checks: readonly Check[]): (check: Check) => string {
  const width = Math.max(14, ...checks.map(({ name }) => name.length))
  return ({ name, outcome, message }) => `${outcome.padEnd(6)} ${name.padEnd(width)} ${message}`
}
