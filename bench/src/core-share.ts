import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Limits each of several processes to a share of a core. */
export interface CoreShare {
  /** Limits each process to this share of a core; null removes the limit. */
  hold(share: number | null): void
  /** Call this after the processes have exited. */
  close(): void
}

const controller = '/sys/fs/cgroup/cpu'

// Short, so that a process is never paused for long: one that is paused while it holds the writer
// lock delays all others.
const periodUs = 10_000

/**
 * Puts each process into its own control group. Null where version 1 control groups cannot be
 * created.
 */
export function openCoreShare(pids: readonly number[]): CoreShare | null {
  if (!isWritable()) return null
  const groups = pids.map((pid) => join(controller, `quire-bench-${pid}`))
  for (const [index, group] of groups.entries()) {
    mkdirSync(group)
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(join(group, 'cgroup.procs'), String(pids[index]))
  }
  return {
    hold(share) {
      const quota = share === null ? -1 : Math.round(share * periodUs)
      for (const group of groups) writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
    },
    close: () => groups.forEach((group) => rmdirSync(group)),
  }
}

/** With version 2 control groups this folder does not exist. */
function isWritable(): boolean {
  try {
    accessSync(controller, constants.W_OK)
    return true
  } catch {
    return false
  }
}
