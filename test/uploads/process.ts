import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

// A thread for long reads opens its connection when the service first has one to do, and closes it when it had none for a minute.
const ofDatabase = /quire\.db(?:-wal)?$/

/** What a process has open, as the kernel names it, but for connections to its database. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const name = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return ofDatabase.test(name) ? [] : [name]
    } catch {
      // Closed since the folder was read.
      return []
    }
  })
}

/** Bytes of memory that a process has now. */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** The most memory that a process has while something is done, looked at every 20 ms. */
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
