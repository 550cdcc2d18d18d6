import { readFileSync } from 'node:fs'

/** CPU time that processes have used since they began, in ms, by process id. */
export type CpuTimes = ReadonlyMap<number, number>

// USER_HZ, in which Linux tells it on every architecture that Node runs on.
const tickMs = 10

// utime and stime, counted from behind the name of the program (proc(5)).
const locations = { user: 11, system: 12 }

/** What processes have used so far. One that is gone is left out. */
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

/** What processes used between two looks, in ms. One that came meanwhile counts from its beginning. */
export function usedBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
}
