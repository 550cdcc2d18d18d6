import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processes that can be held to a share of a core each. */
export interface CoreShare {
  /** Holds each to this share of a core; null: each takes what it gets. */
  hold(share: number | null): void
  /** To be called when the processes are gone. */
  close(): void
}

const controller = '/sys/fs/cgroup/cpu'

// Short, so that a process never stands still for long: one that holds the lock of the writers makes all others wait with it.
const periodUs = 10_000

/** Puts each process into a control group of its own. Null where groups of version 1 cannot be made. */
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

/** Where groups are of version 2 there is no such folder. */
function isWritable(): boolean {
  try {
    accessSync(controller, constants.W_OK)
    return true
  } catch {
    return false
  }
}
