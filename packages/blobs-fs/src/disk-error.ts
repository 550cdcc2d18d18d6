import { BlobsUnavailable } from '@quire/core/ports'

/** The code of an error of the operating system (`ENOSPC`); null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/**
 * Awaits work on the disk and translates its errors. Only such work is wrapped: the source of an
 * upload fails with codes of its own (`ECONNRESET`).
 */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw translate(error)
  }
}

/** As `onDisk`, but null when the file does not exist. */
export async function findOnDisk<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw translate(error)
  }
}

/**
 * EFBIG: the file system or the process limits the size of a file, so no more can be written
 * either.
 */
const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Translates an error of the operating system to one of the port; returns any other error
 * unchanged.
 */
export function translate(error: unknown): unknown {
  const code = systemCode(error)
  if (code === null) return error
  return noRoom.has(code) ? full(code, error) : failing(code, error)
}

function full(code: string, cause: unknown): BlobsUnavailable {
  return new BlobsUnavailable(
    'full',
    `There is no space left for binaries (${code}): free space on their disk.`,
    {
      cause,
    },
  )
}

function failing(code: string, cause: unknown): BlobsUnavailable {
  return new BlobsUnavailable(
    'failing',
    `The folder of binaries cannot be used (${code}): check its disk, its mount and its permissions.`,
    { cause },
  )
}
