import { requireDataFolder } from '../data/data-folder.ts'
import { checkBlobs } from '../doctor/blobs.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkFiles, checkNode } from '../doctor/files.ts'
import type { Check } from '../doctor/finding.ts'
import { checkStore } from '../doctor/store.ts'

/** Options of `quire doctor`, parsed. */
export interface DoctorOptions {
  readonly data: string
  readonly json: boolean
}

/** Looks at everything in a data folder and prints what it saw. Exit code 1 when something must be put right. */
export async function doctor({ data, json }: DoctorOptions): Promise<void> {
  const folder = await requireDataFolder(data)
  const checks = [
    checkNode(),
    ...(await checkFiles(folder)),
    ...(await checkStore(folder.database)),
    ...checkDatabase(folder.database),
    ...(await checkBlobs(folder)),
  ]
  const isSound = checks.every(({ outcome }) => outcome !== 'fault')
  process.stdout.write(
    json ? `${JSON.stringify({ ok: isSound, checks }, null, 2)}\n` : `${checks.map(lineOf).join('\n')}\n`,
  )
  if (!isSound) process.exitCode = 1
}

function lineOf({ name, outcome, message }: Check): string {
  return `${outcome.padEnd(6)} ${name.padEnd(14)} ${message}`
}
