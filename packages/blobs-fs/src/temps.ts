import { createHash, randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { findOnDisk, onDisk, systemCode } from './disk-error.ts'

/**
 * Names for temporary files: `<machine>.<process>.<random>`. A name tells which process owns the
 * file.
 */
export interface Temps {
  /** A path that nothing else uses. */
  next(): string
  /**
   * Removes a temporary file if it exists. Only a clean-up: a failure is ignored, so that it never
   * hides the original error, and the file is swept later.
   */
  drop(temp: string): Promise<void>
  /** Removes the files of processes that have ended. */
  sweep(): Promise<void>
}

/**
 * Milliseconds without a write after which a file counts as abandoned, if its process is on another
 * machine or in another container and cannot be checked.
 */
const abandonedAfter = 60 * 60 * 1_000

/** The temporary files of a folder. */
export function createTemps(folder: string): Temps {
  const machine = machineName()
  const isStale = async (name: string) => {
    const [of, pid] = name.split('.')
    if (of === machine && !isAlive(Number(pid))) return true
    const stats = await findOnDisk(stat(join(folder, name)))
    return stats !== null && Date.now() - stats.mtimeMs > abandonedAfter
  }
  return {
    next: () => join(folder, `${machine}.${process.pid}.${randomUUID()}`),
    drop: (temp) => rm(temp, { force: true, recursive: true }).catch(() => undefined),
    async sweep() {
      for (const name of await onDisk(readdir(folder))) {
        if (await isStale(name)) await onDisk(rm(join(folder, name), { force: true, recursive: true }))
      }
    },
  }
}

/**
 * Identifies the machine or container, because process ids are only comparable within one of them.
 */
function machineName(): string {
  return createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 16)
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}
