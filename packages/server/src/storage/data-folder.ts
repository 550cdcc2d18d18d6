import { access, constants, mkdir, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, OperatorError } from '../operator-error.ts'

/**
 * The files of one server. With a database and a bucket elsewhere, only `key` and `admin` are used.
 */
export interface DataFolder {
  readonly path: string
  /** The SQLite file. */
  readonly database: string
  /** The folder of binaries. */
  readonly blobs: string
  /** The server's own key: anyone who has it can issue tokens. */
  readonly key: string
  /** The file with the service account that the first start creates. */
  readonly admin: string
  /** Whether there was no database when the folder was examined. */
  readonly isNew: boolean
}

/** The paths in a data folder. Creates nothing. */
export function dataFolderAt(path: string, key = join(path, 'server.key')): DataFolder {
  const database = join(path, 'quire.db')
  return {
    path,
    database,
    blobs: join(path, 'blobs'),
    key,
    admin: join(path, 'admin.json'),
    isNew: !existsSync(database),
  }
}

/**
 * Creates the folder for its owner only, unless it exists. `key` is the path of a key file
 * elsewhere.
 * Errors: OperatorError when the folder is not writable.
 */
export async function prepareDataFolder(path: string, key?: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new OperatorError(`The data folder ${path} cannot be written to (${reasonOf(error)}).`, {
      cause: error,
    })
  }
  return dataFolderAt(path, key)
}

/** The existing data folder. Errors: OperatorError when it holds no database. */
export async function requireDataFolder(path: string, key?: string): Promise<DataFolder> {
  const folder = dataFolderAt(path, key)
  const found = await stat(folder.database).catch(() => undefined)
  if (!found?.isFile())
    throw new OperatorError(`There is no database in ${path}: run quire serve --data ${path} to create one.`)
  return folder
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'read-only file system',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'it is a file',
    ENOSPC: 'no space left',
  }
  return reasons[code ?? ''] ?? code ?? String(error)
}
