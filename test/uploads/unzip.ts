import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Unpacked files by their path below the folder. */
export type Unpacked = ReadonlyMap<string, Buffer>

/** Whether `unzip` (Info-ZIP) is installed. */
export const hasUnzip = spawnSync('unzip', ['-v']).status === 0
if (!hasUnzip) console.log('skipped: unzip is not installed')

/** The output of `unzip -t` for an archive, and its exit code: 0 if the archive is sound. */
export function testArchive(file: string): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('unzip', ['-tq', file], { encoding: 'utf8' })
  return { code: status, text: stdout + stderr }
}

/** Unpacks an archive into a new folder. Errors: `unzip` fails with more than a warning. */
export function unpack(file: string, folder: string): Unpacked {
  mkdirSync(folder, { recursive: true })
  // Never prompts: `-n` does not overwrite, so one of two entries with the same name would be
  // missing.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync('unzip', ['-nq', file, '-d', folder], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`unzip exited with ${status}: ${stdout}${stderr}`)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), readFileSync(path)]
    }),
  )
}
