import { setTimeout as wait } from 'node:timers/promises'
import { readArticles } from './asset-data.ts'
import { singleFigure, type Figure } from './compare.ts'
import { readLoad } from './http-lines.ts'
import { openLoad, type Load, type Measured } from './load.ts'
import { rssMb, type Running } from './servers.ts'

/** The result of an operation, and its effect on the server while it ran. */
export interface Beside<T> {
  readonly result: T
  /** Peak memory in megabytes above the level before the operation. */
  readonly memoryMb: number
  /** Reads by slug before the operation and during it. */
  readonly alone: Measured
  readonly during: Measured
}

// The same load as during a merge: 32 readers that each pause 10 ms after an answer. That is a
// third of the service's capacity, so a delay is caused by the operation.
const readers = { connections: 32, pauseMs: 10 }
const longestMs = 1_800_000
const sampleMs = 20

/**
 * Runs an operation while other clients read, and samples the server's memory. Errors: those of the
 * operation; a failed read.
 */
export async function beside<T>(
  server: Running,
  aloneMs: number,
  work: () => Promise<T>,
): Promise<Beside<T>> {
  // Warm up: a new server is slow and uses little memory.
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
  if (failed.length > 0) throw new Error(`unsuccessful answers: ${JSON.stringify(measured.statuses)}`)
  return measured
}

interface MemoryWatch {
  /** Stops sampling. Returns the peak in megabytes above the level at the start. */
  stop(): number
}

function watchMemory(server: Running): MemoryWatch {
  const before = rssMb(server)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, rssMb(server))), sampleMs)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}

/** The effect of an operation on other readers. */
export function readsLine(what: string, { alone, during }: Beside<unknown>): Figure {
  const detail = `p99 ${alone.p99.toFixed(2)} → ${during.p99.toFixed(2)} ms, p50 ${alone.p50.toFixed(2)} → ${during.p50.toFixed(2)} ms`
  const value = during.p99 / alone.p99
  return singleFigure({ what, value, unit: '×', target: 3, bound: 'atMost', detail })
}

/** The effect of an operation on the server's memory. */
export function memoryFigure(what: string, { memoryMb }: Beside<unknown>, target: number): Figure {
  const detail = `peak RSS above the level before; sampled every ${sampleMs} ms`
  return singleFigure({ what, value: memoryMb, unit: 'MB', target, bound: 'atMost', detail })
}
