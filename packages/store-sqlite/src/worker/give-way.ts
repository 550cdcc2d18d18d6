import { getPriority, setPriority } from 'node:os'

/** The nice value of whoever goes last of all. */
const LAST = 19

/** Lets other threads of the process go first, by some steps. Only on Linux, where a priority is a thread's own: elsewhere it is that of the whole process. */
export function giveWay(nice: number): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + nice, LAST))
}
