import { closeSync, openSync, rmSync, writeSync } from 'node:fs'

/** Bytes that are written to find out: as much as the index of the log takes to begin with, and more than one block of any disk. */
const PROBE_BYTES = 65_536

/** Whether a few bytes more can be written beside a file. False only where the disk or a quota says that there is no room. */
export function hasRoom(file: string): boolean {
  const probe = `${file}.probe`
  try {
    const descriptor = openSync(probe, 'w', 0o600)
    try {
      return writeSync(descriptor, new Uint8Array(PROBE_BYTES)) === PROBE_BYTES
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return !isFull(error)
  } finally {
    rmSync(probe, { force: true })
  }
}

/** Whether the system said that a disk, or a quota of it, is used up. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
