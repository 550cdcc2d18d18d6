import { setTimeout as sleep } from 'node:timers/promises'
import { type GroupedWrites, closedError, createGroupedWrites } from '@quire/store-sql'
import { conflictKey, isConflict } from './postgres-error.ts'
import type { Begin } from './writer.ts'

/** A database transaction shared by several units of work. */
export interface OpenBatch<B> {
  /** The object that work runs on. */
  readonly on: B
  /** Errors: a conflict (see `isConflict`), after which the work can be run again; StoreUnavailable. */
  commit(): Promise<void>
  /** Rolls everything back. Never fails. */
  abandon(): Promise<void>
}

/** Begins a transaction on a connection of its own. */
export type BeginBatch<B> = (how: Begin) => Promise<OpenBatch<B>>

/** Runs work in transactions, several units per commit. */
export interface WriteQueue<B> {
  /**
   * Resolves once the writes are durable. Errors are reported at the same time. In a conflict with
   * another transaction, `work` is run again.
   */
  write<T>(work: (on: B) => Promise<T>, options?: { readonly synced?: boolean }): Promise<T>
  /** Errors: StoreUnavailable once the queue is closed. */
  requireOpen(): void
  /** Refuses new work and waits for the queued work. */
  drain(): Promise<void>
}

/**
 * The maximum number of units per commit. A commit costs a round trip and an fsync, as much as some
 * ten units: at half, little is lost; at twice, the first of a batch waits twice as long, and more
 * is run again after a conflict.
 */
const MOST_IN_BATCH = 64

/**
 * How long work waits for the connection before it, in ms, until the next one takes it. At half,
 * batches become smaller; at twice, others notice a long transaction.
 */
const PATIENCE_MS = 25

/** How often work is run before it is run while nothing else is, and how often at all. */
const tries = { together: 5, most: 7 }

/** The longest wait before a further try, in ms, times the tries so far. */
const PAUSE_MS = 10

/** A unit of work that waits for its turn. */
interface Waiting<B> extends GroupedWrites<B> {
  /** How often it was run so far. */
  readonly tried: number
  /** The keys that were in conflict, in order. */
  readonly contested: readonly number[]
}

/**
 * Opens a queue over one or more connections. The first takes what waits as soon as it is free; the
 * others only what has waited for long, behind a long transaction.
 */
export function createWriteQueue<B>(connections: readonly BeginBatch<B>[]): WriteQueue<B> {
  const waiting: Waiting<B>[] = []
  const draining = new Map<BeginBatch<B>, Promise<void>>()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const drain = async (begin: BeginBatch<B>) => {
    while (waiting.length > 0) await runBatch(begin, waiting)
    draining.delete(begin)
  }
  const start = () => {
    timer = undefined
    const free = connections.find((begin) => !draining.has(begin))
    if (free && waiting.length > 0) draining.set(free, drain(free))
  }
  const wake = () => {
    if (draining.size === 0) start()
    else if (draining.size < connections.length) timer ??= setTimeout(start, PATIENCE_MS)
  }
  const requireOpen = () => {
    if (closed) throw closedError()
  }
  return {
    requireOpen,
    async write(work, { synced = true } = {}) {
      requireOpen()
      const { job, ended } = createGroupedWrites(work, synced)
      waiting.push({ ...job, tried: 0, contested: [] })
      wake()
      return ended
    },
    async drain() {
      closed = true
      while (draining.size > 0) await Promise.all(draining.values())
      clearTimeout(timer)
    },
  }
}

/** Commits waiting work together. What is in conflict waits again, first of all. */
async function runBatch<B>(begin: BeginBatch<B>, waiting: Waiting<B>[]): Promise<void> {
  const first = waiting.shift()
  if (!first) return
  const { synced, tried, contested } = first
  const jobs: Waiting<B>[] = [first]
  let batch: OpenBatch<B> | undefined
  try {
    if (tried > 1) await sleep(Math.random() * PAUSE_MS * tried)
    batch = await begin({ synced, alone: tried >= tries.together, contested })
    const completions = [await first.run(batch.on)]
    for (let next = takeNext(waiting, jobs); next; next = takeNext(waiting, jobs)) {
      jobs.push(next)
      completions.push(await next.run(batch.on))
    }
    await batch.commit()
    for (const complete of completions) complete()
  } catch (error) {
    await batch?.abandon()
    if (isConflict(error) && tried + 1 < tries.most)
      waiting.unshift(...jobs.map((job) => triedAgain(job, conflictKey(error))))
    else for (const { refuse } of batch ? jobs : [...jobs, ...waiting.splice(0, MOST_IN_BATCH)]) refuse(error)
  }
}

function triedAgain<B>(job: Waiting<B>, key: number | null): Waiting<B> {
  const contested = new Set([...job.contested, ...(key === null ? [] : [key])])
  return { ...job, tried: job.tried + 1, contested: [...contested].toSorted((a, b) => a - b) }
}

/**
 * Takes the next work if it can be committed together with a batch. Work that is run again is run
 * alone, so that it holds nobody else up.
 */
function takeNext<B>(waiting: Waiting<B>[], batch: readonly Waiting<B>[]): Waiting<B> | undefined {
  const [[first], [next]] = [batch, waiting]
  if (batch.length >= MOST_IN_BATCH || !first || !next) return undefined
  const isTogether = first.tried === 0 && next.tried === 0 && first.synced === next.synced
  return isTogether ? waiting.shift() : undefined
}
