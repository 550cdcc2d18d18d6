import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** The nice value of who goes last of all. */
const LAST = 19

/** Lets other threads of the process go first, by some steps. Only on Linux, where a priority is a thread's own; elsewhere this thread stays one among others. */
export function giveWay(nice: number): void {
  try {
    // `…/task/<number>`: a thread has a number among all tasks of the system.
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(number, Math.min(getPriority(number) + nice, LAST))
  } catch {
    // Not Linux, or not allowed: what is done here is done all the same.
  }
}
