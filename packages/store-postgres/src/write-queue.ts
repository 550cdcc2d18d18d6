import { type GroupedWrites, type Complete, closedError, createGroupedWrites } from '@quire/store-sql'

/** A database transaction that several pieces of work share. */
export interface OpenBatch<B> {
  /** What work runs on. */
  readonly on: B
  /** Makes all of it durable. */
  commit(): Promise<void>
  /** Undoes all of it. Never fails. */
  abandon(): Promise<void>
}

/** Runs pieces of work one after another, several to a commit. */
export interface WriteQueue<B> {
  /** Resolves once what the work wrote is durable; a refusal, too, is told only then. */
  write<T>(work: (on: B) => Promise<T>, options?: { readonly synced?: boolean }): Promise<T>
  /** Errors: StoreUnavailable once it is closed. */
  requireOpen(): void
  /** Refuses what comes from now on and waits for what is queued. */
  drain(): Promise<void>
}

/**
 * How many pieces of work share a commit. It costs a round trip and an fsync, as much as some ten of them: at half, little is lost; at twice, the
 * first of a batch waits twice as long, and other processes too.
 */
const MOST_IN_BATCH = 64

/** Opens a queue over what begins a transaction. */
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

/** One commit for all that wait, as far as they are alike in whether it must be synced. */
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
