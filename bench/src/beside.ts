import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readArticles } from './asset-data.ts'
import { branchOfOne, type Figure } from './compare.ts'
import { readLoad } from './http-lines.ts'
import { openLoad, type Load, type Measured } from './load.ts'
import type { Running } from './servers.ts'

/** What some work did to the server beside its answer. */
export interface Beside<T> {
  readonly result: T
  /** Megabytes of memory at the most, over those before. */
  readonly memoryMb: number
  /** Reads by slug before the work and while it went on. */
  readonly alone: Measured
  readonly during: Measured
}

// As beside a merge: 32 readers who each ask again 10 ms after an answer, a third of what the service can do, so that a wait is the work's.
const readers = { connections: 32, pauseMs: 10 }
const longestMs = 1_800_000
const sampleMs = 20

/** Does some work while others read, and watches the memory of the server. Errors: those of the work; a read that fails. */
export async function beside<T>(
  server: Running,
  aloneMs: number,
  work: () => Promise<T>,
): Promise<Beside<T>> {
  // A server that has answered nothing yet is slow and small.
  await readFor(server, aloneMs)
  const alone = await readFor(server, aloneMs)
  const memory = watchMemory(server)
  const load = openLoad(readsOf(server, longestMs))
  try {
    const result = await work()
    return { result, memoryMb: memory.stop(), alone, during: requireSound(await load.stop()) }
  } finally {
    memory.stop()
    void load.stop().catch(() => undefined)
  }
}

async function readFor(server: Running, ms: number): Promise<Measured> {
  const load = openLoad(readsOf(server, longestMs))
  await wait(ms)
  return requireSound(await load.stop())
}

function readsOf(server: Running, durationMs: number): Load {
  const effort = { rounds: 1, durationMs, items: readArticles, many: 0 }
  return { ...readLoad(server, '/api/items/bench/slug', effort), ...readers }
}

function requireSound(measured: Measured): Measured {
  const failed = Object.keys(measured.statuses).filter((status) => status !== '200')
  if (failed.length > 0) throw new Error(`answers other than success: ${JSON.stringify(measured.statuses)}`)
  return measured
}

interface MemoryWatch {
  /** Megabytes at the most, over those at the start. */
  stop(): number
}

function watchMemory({ process: child }: Running): MemoryWatch {
  const pid = child.pid ?? 0
  const before = rssMb(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, rssMb(pid))), sampleMs)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}

/** Megabytes of memory that a process holds. */
function rssMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** What some work did to the reads of others. */
export function readsLine(what: string, { alone, during }: Beside<unknown>): Figure {
  const detail = `p99 ${alone.p99.toFixed(2)} → ${during.p99.toFixed(2)} ms, p50 ${alone.p50.toFixed(2)} → ${during.p50.toFixed(2)} ms`
  const value = during.p99 / alone.p99
  return branchOfOne({ what, value, unit: '×', target: 3, bound: 'atMost', detail })
}

/** What some work did to the memory of the server. */
export function memoryBranchOf(what: string, { memoryMb }: Beside<unknown>, target: number): Figure {
  const detail = `RSS at the most, over that before; looked at every ${sampleMs} ms`
  return branchOfOne({ what, value: memoryMb, unit: 'MB', target, bound: 'atMost', detail })
}
