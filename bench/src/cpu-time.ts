import { readFileSync } from 'node:fs'

/** CPU time used by processes since they started, in ms, by process id. */
export type CpuTimes = ReadonlyMap<number, number>

// USER_HZ: the unit in which Linux reports CPU time on every architecture that Node supports.
const tickMs = 10

// Positions of utime and stime, counted after the program name (proc(5)).
const locations = { user: 11, system: 12 }

/** The CPU time that processes have used so far. Processes that have exited are left out. */
export function cpuTimesOf(pids: readonly number[]): CpuTimes {
  return new Map(
    pids.flatMap((pid) => {
      const ms = cpuTimeOf(pid)
      return ms === null ? [] : [[pid, ms] as const]
    }),
  )
}

function cpuTimeOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const members = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(members[locations.user]) + Number(members[locations.system])) * tickMs
  } catch {
    return null
  }
}

/**
 * The CPU time in ms that processes used between two samples. A process that started in between
 * counts from its start.
 */
export function usedBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
}
