import { setTimeout as wait } from 'node:timers/promises'
import { backendsOf } from './backends.ts'
import type { Fleet } from './fleet.ts'
import type { Disturbed } from './run-processes.ts'

/** What was done to processes and their connections. */
export interface Blows {
  kills: number
  terminated: number
}

// Processes that are kept running: on a busy machine, a start takes longer than the interval
// between kills.
const leastUp = 2

// Average milliseconds between kills.
const betweenKills = 4_000
const betweenCuts = 1_000

/**
 * Kills random processes with SIGKILL and ends random connections for `ms` milliseconds. Resolves
 * once all processes are ready again.
 */
export async function strike({ fleet, schema }: Disturbed, ms: number): Promise<Blows> {
  const blows: Blows = { kills: 0, terminated: 0 }
  const until = performance.now() + ms
  const isOver = () => performance.now() > until
  const backends = backendsOf(schema)
  const cut = async () => {
    while (!isOver()) {
      await wait(betweenCuts * (0.5 + Math.random()))
      blows.terminated += await backends.terminateOne()
    }
  }
  await Promise.all([cut(), killUntil(fleet, until, () => void (blows.kills += 1))])
  return blows
}

/**
 * Kills a process every few seconds while enough others are running. Resolves once all are ready
 * again.
 */
async function killUntil(fleet: Fleet, until: number, killed: () => void): Promise<void> {
  const up = new Set(Array.from({ length: fleet.size }, (_, index) => index))
  const starts: Promise<void>[] = []
  while (performance.now() < until) {
    await wait(betweenKills * (0.5 + Math.random()))
    const index = [...up][Math.floor(Math.random() * up.size)]
    if (index === undefined || up.size <= leastUp) continue
    up.delete(index)
    killed()
    starts.push(fleet.kill(index).then(() => void up.add(index)))
  }
  await Promise.all(starts)
}

/** Performs a rolling restart with SIGTERM, one process at a time. Returns how each ended. */
export async function roll({ fleet }: Disturbed, rounds: number): Promise<readonly string[]> {
  const ends: string[] = []
  for (let slot = 0; slot < rounds * fleet.size; slot++) {
    ends.push(await fleet.roll(slot % fleet.size))
    // Like a deployment that waits until a process has done some work.
    await wait(500)
  }
  return ends
}
