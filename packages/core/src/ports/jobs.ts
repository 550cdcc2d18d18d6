import type { UserRef } from './entities.ts'
import type { JsonObject } from './json.ts'

/** The state of a job. `succeeded`, `failed` and `cancelled` are final. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** The progress of a job, in units of its own. */
export interface JobProgress {
  readonly done: number
  /** 0 while unknown. */
  readonly total: number
  readonly message: string
}

/** A job to add to the queue. */
export interface NewJob {
  /** Must be new and unique; ids sort by creation time. */
  readonly id: string
  /** Selects the handler: `webhook.deliver`, `assets.sync`… */
  readonly kind: string
  /** The repository the job belongs to; empty for a job of the whole service. */
  readonly repositoryId: string
  /**
   * For what the job runs, within its kind: a webhook, a site… Jobs of one subject are claimed in
   * order, and each claim shares its slots among subjects.
   */
  readonly subject: string
  /** At most one unfinished job has this key; null: no limit. */
  readonly key: string | null
  readonly payload: JsonObject
  /**
   * Further data of the job, possibly long. It is stored as is, while text in `payload` would be
   * escaped as JSON. Null: none.
   */
  readonly body: string | null
  /** Maximum number of times that it is started: 1 for a job that must not run twice. */
  readonly maxAttempts: number
  /** Unix ms before which it is not started. */
  readonly runAt: number
  readonly createdAt: number
  readonly createdBy: UserRef
}

/** A job in the queue. */
export interface Job extends NewJob {
  readonly state: JobState
  /** The last progress that a worker reported, in any attempt; zero before the first report. */
  readonly progress: JobProgress
  /** Number of times that it has been started. */
  readonly attempts: number
  /** Unix ms of the latest start; null before the first. */
  readonly startedAt: number | null
  /** Unix ms; null until it has finished. */
  readonly finishedAt: number | null
  /** Why it failed, for people; also set while it waits for a retry. Null otherwise. */
  readonly error: string | null
  /** The result; null until it has finished. */
  readonly result: JsonObject | null
  /**
   * Whether somebody asked to cancel it while it ran. Kept when the job is put back into the queue,
   * so that the next worker sees it at the start.
   */
  readonly isCancelling: boolean
  /**
   * The fencing token. Grows with every claim; a worker's updates count only while the job runs and
   * has the worker's own lease number.
   */
  readonly lease: number
  /**
   * Grows with every heartbeat of the worker. If it has not changed for long, by the observer's
   * clock, the job has lost its worker.
   */
  readonly beat: number
}

/** The initial state of a job. */
export const newJobState = {
  state: 'queued',
  progress: { done: 0, total: 0, message: '' },
  attempts: 0,
  startedAt: null,
  finishedAt: null,
  error: null,
  result: null,
  isCancelling: false,
  lease: 0,
  beat: 0,
} as const satisfies Omit<Job, keyof NewJob>

/** What observers need to know about a running job. */
export type RunningJob = Pick<Job, 'id' | 'kind' | 'lease' | 'beat'>

/** Which jobs a list returns. */
export interface JobQuery {
  readonly kind?: string
  readonly state?: JobState
  readonly subject?: string
  /**
   * Only jobs of these repositories. An empty string means jobs of the whole service; an empty list
   * matches nothing.
   */
  readonly repositoryIds?: readonly string[]
  /** Only ids below this one. */
  readonly before?: string
  readonly limit: number
}

/** The number of jobs of one kind and repository that are in one state. */
export interface JobCount {
  readonly kind: string
  readonly state: JobState
  readonly repositoryId: string
  readonly count: number
  /** The earliest `runAt` among them, in Unix ms: the time since which the oldest has been due. */
  readonly oldest: number
}

/** Reads of the queue. */
export interface JobReader {
  /** Null when absent. */
  get(id: string): Promise<Job | null>
  /** The unfinished job with this key; null when there is none. */
  findUnended(key: string): Promise<Job | null>
  /**
   * Newest ids first. Cost: without a filter, one index row per result. With a filter it grows with
   * the number of kinds, states and repositories that match and have jobs, with the number of
   * matching queued jobs, and with `limit`, but not with the number of finished jobs.
   */
  list(query: JobQuery): Promise<readonly Job[]>
  /**
   * How many jobs `list` would return without its limit, counted up to `limit`. Cost: as for
   * `list`, with the counted jobs in place of the listed ones.
   */
  count(query: Omit<JobQuery, 'before'>): Promise<number>
  /**
   * One count for every kind, state and repository that has jobs, in that order. Cost: grows with
   * the number of jobs.
   */
  counts(): Promise<readonly JobCount[]>
  /** Running jobs in the order of their ids, at most `limit`. */
  running(limit: number): Promise<readonly RunningJob[]>
  /**
   * When the next queued job of each given kind is due, in Unix ms. Kinds without queued jobs are
   * missing from the map. Cost: as for a claim, one lookup per subject that has queued jobs.
   */
  nextDue(kinds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** Which jobs to claim. */
export interface JobClaim {
  readonly kind: string
  /** Unix ms: only jobs that are due by then. */
  readonly now: number
  /** Maximum number of jobs. */
  readonly limit: number
  /**
   * Maximum number of jobs per subject in this claim; jobs that are already running do not count.
   */
  readonly each: number
  /** Subjects to skip. */
  readonly except: readonly string[]
}

/** What a worker reports at the end of a job. */
export interface JobEnd {
  readonly id: string
  readonly lease: number
  /**
   * `queued` starts it again at `at`. The caller must have checked `maxAttempts`; the queue does
   * not.
   */
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'queued'
  /** Unix ms of the end, or of the next start when it is queued again. */
  readonly at: number
  readonly error: string | null
  /** Not stored when it is queued again. */
  readonly result: JsonObject | null
}

/** Writes of the queue inside a transaction. */
export interface JobWriter extends JobReader {
  /**
   * Adds a job to the queue. If an unfinished job has the same key, that job stays unchanged and is
   * returned. Errors: throws when the id exists already.
   */
  enqueue(job: NewJob): Promise<Job>
  /**
   * Starts jobs that are due, in the order of `runAt`, then id, both within each subject and among
   * subjects. They become `running`, with one more attempt and a new lease, and are returned in
   * that order.
   * Concurrent calls: no job is claimed twice. Cost: grows with the number of subjects that have
   * queued jobs and with `limit`, not with the length of the queue.
   */
  claim(claim: JobClaim): Promise<readonly Job[]>
  /**
   * Sends a heartbeat, optionally with progress. Returns the job, or null when the lease is no
   * longer the current one or the job is no longer running: the worker must stop.
   */
  beat(id: string, lease: number, progress?: JobProgress): Promise<Job | null>
  /**
   * Finishes a job, or puts it back into the queue. Returns false, and changes nothing, when the
   * lease is no longer the current one or the job is no longer running.
   */
  finish(end: JobEnd): Promise<boolean>
  /**
   * Takes a job away from a worker that has died, given the last observed state. The job goes back
   * to its place in the queue if it has attempts left; otherwise it becomes `failed` with `error`.
   * Returns the job; null when it has changed since it was observed, because its worker is alive or
   * it has finished.
   */
  release(seen: RunningJob, end: { readonly at: number; readonly error: string }): Promise<Job | null>
  /**
   * Cancels a queued job immediately; asks a running one to stop (`isCancelling`). Returns the job
   * as it is afterwards; null when it is absent or finished.
   */
  cancel(id: string, at: number): Promise<Job | null>
  /**
   * Queues a failed or cancelled job again as if it had not finished, and allows one more attempt
   * than it has had (`maxAttempts` becomes `attempts` + 1). Returns null, and changes nothing, when
   * it is absent or in another state, or when another unfinished job has its key.
   */
  retry(id: string, runAt: number): Promise<Job | null>
  /**
   * Deletes jobs of a kind that finished before `before` (Unix ms), oldest first, at most `limit`;
   * returns how many.
   */
  sweep(query: { readonly kind: string; readonly before: number; readonly limit: number }): Promise<number>
}
