import { createHash, randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { findOnDisk, onDisk, systemCode } from './disk-error.ts'

/** Names for files that have none yet. A name says whose it is: `<machine>.<process>.<random>`. */
export interface Temps {
  /** A path that nothing else uses. */
  next(): string
  /** Removes one that may be there. Cleaning up only: one that cannot be removed is swept later, and never hides why it was dropped. */
  drop(temp: string): Promise<void>
  /** Removes what processes that ended left behind. */
  sweep(): Promise<void>
}

/** Ms without a write after which a file is left behind, where the process that made it cannot be asked: another machine's or container's. */
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

/** Process numbers are compared within one machine and, of containers that share a folder, within one container. */
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
