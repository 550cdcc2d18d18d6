import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A file that was unpacked, by its path below the folder. */
export type Unpacked = ReadonlyMap<string, Buffer>

/** Whether `unzip` (Info-ZIP) is there. */
export const hasUnzip = spawnSync('unzip', ['-v']).status === 0
if (!hasUnzip) console.log('skipped: unzip is not installed')

/** What `unzip -t` says of an archive, and its exit code: 0 for one that is whole. */
export function testArchive(file: string): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('unzip', ['-tq', file], { encoding: 'utf8' })
  return { code: status, text: stdout + stderr }
}

/** Unpacks an archive into a folder that is made for it. Errors: what `unzip` says when it ends with more than a warning. */
export function unpack(file: string, folder: string): Unpacked {
  mkdirSync(folder, { recursive: true })
  // Never asks: `-n` keeps what is there, so that of two entries of one name one would be missing.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync('unzip', ['-nq', file, '-d', folder], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`unzip ended with ${status}: ${stdout}${stderr}`)
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
