import { BlobsUnavailable } from '@quire/core/ports'

/** The code of an error of the operating system (`ENOSPC`); null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** What work on the disk gives. Only such work is wrapped: the source of an upload fails with codes of its own (`ECONNRESET`). */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw translate(error)
  }
}

/** As `onDisk`, but null for what is not there. */
export async function findOnDisk<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw translate(error)
  }
}

/** EFBIG is the limit of a file's size, by the file system or for the process: no more can be written either. */
const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** An error of the operating system as the port knows it; any other as it is. */
export function translate(error: unknown): unknown {
  const code = systemCode(error)
  if (code === null) return error
  return noRoom.has(code) ? full(code, error) : failing(code, error)
}

function full(code: string, cause: unknown): BlobsUnavailable {
  return new BlobsUnavailable('full', `No room is left for binaries (${code}): free space on their disk.`, {
    cause,
  })
}

function failing(code: string, cause: unknown): BlobsUnavailable {
  return new BlobsUnavailable(
    'failing',
    `The folder of binaries fails (${code}): check its disk, its mount and its rights.`,
    { cause },
  )
}
