import { getPriority, setPriority } from 'node:os'

/** The lowest priority. */
const LAST = 19

/**
 * Lowers the priority of this thread by some steps. Linux only, where each thread has its own
 * priority; elsewhere it applies to the whole process.
 */
export function giveWay(nice: number): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + nice, LAST))
}
