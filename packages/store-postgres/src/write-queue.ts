import { type GroupedWrites, type Complete, closedError, createGroupedWrites } from '@quire/store-sql'

/** A database transaction shared by several units of work. */
export interface OpenBatch<B> {
  /** The object that work runs on. */
  readonly on: B
  commit(): Promise<void>
  /** Rolls everything back. Never fails. */
  abandon(): Promise<void>
}

/** Runs work one after another, several units per commit. */
export interface WriteQueue<B> {
  /** Resolves once the writes are durable. Errors are reported at the same time. */
  write<T>(work: (on: B) => Promise<T>, options?: { readonly synced?: boolean }): Promise<T>
  /** Errors: StoreUnavailable once the queue is closed. */
  requireOpen(): void
  /** Refuses new work and waits for the queued work. */
  drain(): Promise<void>
}

/**
 * The maximum number of units per commit. A commit costs a round trip and an fsync, as much as some
 * ten units: at half, little is lost; at twice, the first of a batch waits twice as long, and so do
 * other processes.
 */
const MOST_IN_BATCH = 64

/** Opens a queue. `begin` starts a transaction. */
export function createWriteQueue<B>(begin: (synced: boolean) => Promise<OpenBatch<B>>): WriteQueue<B> {
  const waiting: GroupedWrites<B>[] = []
  let draining: Promise<void> | null = null
  let closed = false
  const work = async () => {
    while (waiting.length > 0) await runBatch(begin, waiting)
    draining = null
  }
  const requireOpen = () => {
    if (closed) throw closedError()
  }
  return {
    requireOpen,
    async write(inner, { synced = true } = {}) {
      requireOpen()
      const { job, ended } = createGroupedWrites(inner, synced)
      waiting.push(job)
      draining ??= work()
      return ended
    },
    async drain() {
      closed = true
      await draining
    },
  }
}

/** Commits all waiting work together, up to the first with a different sync setting. */
async function runBatch<B>(
  begin: (synced: boolean) => Promise<OpenBatch<B>>,
  waiting: GroupedWrites<B>[],
): Promise<void> {
  const jobs: GroupedWrites<B>[] = []
  let batch: OpenBatch<B> | undefined
  try {
    batch = await begin(waiting[0]?.synced ?? true)
    const completions = await runJobs(batch.on, waiting, jobs)
    await batch.commit()
    for (const complete of completions) complete()
  } catch (error) {
    await batch?.abandon()
    const refused = batch ? jobs : waiting.splice(0, MOST_IN_BATCH)
    for (const { refuse } of refused) refuse(error)
  }
}

async function runJobs<B>(on: B, waiting: GroupedWrites<B>[], jobs: GroupedWrites<B>[]): Promise<Complete[]> {
  const completions: Complete[] = []
  const synced = waiting[0]?.synced
  while (jobs.length < MOST_IN_BATCH) {
    const [job] = waiting
    if (!job || job.synced !== synced) return completions
    waiting.shift()
    jobs.push(job)
    completions.push(await job.run(on))
  }
  return completions
}
