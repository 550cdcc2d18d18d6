import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

// The thread for long reads opens its connection on demand, and closes it after an idle minute.
const ofDatabase = /quire\.db(?:-wal)?$/

/**
 * The open files and sockets of a process as the kernel names them, except for connections to its
 * database.
 */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const name = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return ofDatabase.test(name) ? [] : [name]
    } catch {
      // It was closed after the folder was read.
      return []
    }
  })
}

/** The resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** The peak memory of a process during an operation, sampled every 20 ms. */
export async function peakBytes(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = residentBytes(pid)
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 20)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(peak, residentBytes(pid))
}
