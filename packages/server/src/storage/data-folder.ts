import { access, constants, mkdir, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, OperatorError } from '../operator-error.ts'

/** Where everything of one server is kept; with a database and a bucket elsewhere what is its own alone. */
export interface DataFolder {
  readonly path: string
  /** The database, where it is a file. */
  readonly database: string
  /** The folder of binaries. */
  readonly blobs: string
  /** The server's own key: whoever has it can make tokens. */
  readonly key: string
  /** The service account that the first start made. */
  readonly admin: string
  /** Whether there was no database yet when the folder was looked at. */
  readonly isNew: boolean
}

/** The places in a data folder. Touches nothing. */
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

/** Makes the folder, for its owner alone, unless it is there. `key`: where the key is instead. Errors: OperatorError when it cannot be written. */
export async function prepareDataFolder(path: string, key?: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new OperatorError(`The data folder ${path} cannot be written (${reasonOf(error)}).`, {
      cause: error,
    })
  }
  return dataFolderAt(path, key)
}

/** The folder as it is. Errors: OperatorError when it holds no database. */
export async function requireDataFolder(path: string, key?: string): Promise<DataFolder> {
  const folder = dataFolderAt(path, key)
  const found = await stat(folder.database).catch(() => undefined)
  if (!found?.isFile())
    throw new OperatorError(`There is no database in ${path}: quire serve --data ${path} makes one.`)
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
