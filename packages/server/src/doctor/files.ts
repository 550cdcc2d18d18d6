import { stat } from 'node:fs/promises'
import type { DataFolder } from '../storage/data-folder.ts'
import { keyProblem } from '../storage/server-key.ts'
import { codeOf } from '../operator-error.ts'
import { fault, ok, type Check } from './finding.ts'

/** The oldest Node that Quire runs on, as `engines` says. */
const oldestNode = '22.19.0'

/** Checks the version of Node that runs this process. */
export function checkNode(version = process.versions.node): Check {
  const isOld = version.localeCompare(oldestNode, 'en', { numeric: true }) < 0
  return isOld
    ? fault('node', `Node ${version} is too old: use ${oldestNode} or newer`)
    : ok('node', `Node ${version}`)
}

/** Checks the files next to the database that only their owner may read. */
export async function checkFiles({ key, admin }: DataFolder): Promise<Check[]> {
  const problem = await keyProblem(key)
  const words = problem === 'missing' ? `${key} is missing: restore it from a backup` : problem
  return [
    words ? fault('server key', words) : ok('server key', `${key} is readable by its owner only`),
    await checkAdmin(admin),
  ]
}

async function checkAdmin(file: string): Promise<Check> {
  try {
    const { mode } = await stat(file)
    const isOpen = (mode & 0o077) !== 0
    return isOpen
      ? fault('admin account', `${file} can be read by others: chmod 600 ${file}`)
      : ok('admin account', `${file} is readable by its owner only`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ok('admin account', `${file} was removed`)
    throw error
  }
}
