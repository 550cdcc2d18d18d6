import { constants, accessSync, realpathSync, statfsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StoreOpenError } from './store-open-error.ts'

/**
 * The canonical path of a database file, so that different spellings of a path meet the same lock.
 * Errors: StoreOpenError `folder` when its folder is missing or not writable, `network` when it is
 * on another machine.
 */
export function locate(file: string): string {
  const folder = dirname(resolve(file))
  const real = realFolder(folder)
  requireWritable(real)
  requireLocal(real)
  return realFile(join(real, basename(file)))
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (cause) {
    throw new StoreOpenError(
      'folder',
      `The folder ${folder} does not exist: create it, or choose another file.`,
      { cause },
    )
  }
}

function realFile(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw unwritable(folder, cause)
  }
}

/** The error for a folder in which no file can be created. */
export function unwritable(folder: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    'folder',
    `The folder ${folder} is not writable: give the server write access, or choose another file.`,
    { cause },
  )
}

/**
 * Network file systems by Linux' magic numbers (statfs(2)). Their locks do not reliably exclude a
 * second server.
 */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
])

function requireLocal(folder: string): void {
  const found = networkFileSystems.get(statfsSync(folder).type)
  if (found)
    throw new StoreOpenError(
      'network',
      `The folder ${folder} is on a network file system (${found}): SQLite needs a local disk.`,
    )
}
