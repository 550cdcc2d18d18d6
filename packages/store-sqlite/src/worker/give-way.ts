import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Lets other threads of the process go first. Only on Linux, where a priority is a thread's own; elsewhere this thread is one among others. */
export function giveWay(nice: number): void {
  const number = threadNumber()
  if (number !== null) setPriority(number, nice)
}

/** The number of this thread among all tasks of the system. */
function threadNumber(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return null
  }
}
