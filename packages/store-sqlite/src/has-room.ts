import { closeSync, openSync, rmSync, writeSync } from 'node:fs'

/**
 * Bytes that are written as a probe: as much as the index of the log takes initially, and more than
 * one block of any disk.
 */
const PROBE_BYTES = 65_536

/**
 * Whether a few more bytes can be written next to a file. False only when the disk or a quota
 * reports that there is no space.
 */
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

/** Whether the system reported that a disk or a quota is used up. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
