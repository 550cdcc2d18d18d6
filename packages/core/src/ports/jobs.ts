import type { UserRef } from './entities.ts'
import type { JsonObject } from './json.ts'

/** Where a job stands. Those that ended are `succeeded`, `failed` and `cancelled`. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** How far a job is, in units of its own. */
export interface JobProgress {
  readonly done: number
  /** 0 while it is not known. */
  readonly total: number
  readonly message: string
}

/** A job as it is put into the queue. */
export interface NewJob {
  /** New: ids grow with time, and nobody else has it. */
  readonly id: string
  /** What does it: `webhook.deliver`, `assets.sync`… */
  readonly kind: string
  /** What it is about; empty for the whole service. */
  readonly repositoryId: string
  /** Whom it is done for, among those of its kind: jobs of one subject are claimed in order, and a claim shares its places among subjects. */
  readonly subject: string
  /** No two jobs that have not ended have the same; null: any number. */
  readonly key: string | null
  readonly payload: JsonObject
  /** What it carries besides, which may be long: kept as it is, where a member of `payload` would be escaped. Null: nothing. */
  readonly body: string | null
  /** Times that it is begun at most: 1 for what must not be done twice. */
  readonly maxAttempts: number
  /** Unix ms before which it is not begun. */
  readonly runAt: number
  readonly createdAt: number
  readonly createdBy: UserRef
}

/** A job of the queue. */
export interface Job extends NewJob {
  readonly state: JobState
  /** As a worker last said it, in whichever attempt; nothing done before. */
  readonly progress: JobProgress
  /** Times that it was begun. */
  readonly attempts: number
  /** Unix ms of the last begin; null before the first. */
  readonly startedAt: number | null
  /** Unix ms; null while it has not ended. */
  readonly finishedAt: number | null
  /** Why it failed, for people, also while it waits to be begun again for that; null otherwise. */
  readonly error: string | null
  /** What it gave; null before its end. */
  readonly result: JsonObject | null
  /** Whether somebody asked it to end early while it ran. Stays through being put back, so that the next worker sees it when it begins. */
  readonly isCancelling: boolean
  /** The fencing token: grows with every claim, and what a worker says of a job counts only with the present one, while the job runs. */
  readonly lease: number
  /** Grows whenever its worker says that it lives. One that stands still for long, by the clock of the observer, has lost its worker. */
  readonly beat: number
}

/** What a job is as it is queued. */
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

/** A job that runs, as far as others watch it. */
export type RunningJob = Pick<Job, 'id' | 'kind' | 'lease' | 'beat'>

/** Which jobs a list shows. */
export interface JobQuery {
  readonly kind?: string
  readonly state?: JobState
  readonly subject?: string
  /** Only of these repositories; an empty string stands for jobs of the whole service, an empty list for none at all. */
  readonly repositoryIds?: readonly string[]
  /** Below this id. */
  readonly before?: string
  readonly limit: number
}

/** How many jobs of a kind and a repository are in a state. */
export interface JobCount {
  readonly kind: string
  readonly state: JobState
  readonly repositoryId: string
  readonly count: number
  /** The first `runAt` among them (Unix ms): since when the oldest is due. */
  readonly oldest: number
}

/** Reads of the queue. */
export interface JobReader {
  /** Null when absent. */
  get(id: string): Promise<Job | null>
  /** The job that has not ended of a key; null when there is none. */
  findUnended(key: string): Promise<Job | null>
  /**
   * The newest ids first. Cost: one row of an index after the other where nothing is asked for. Otherwise it grows with how many kinds,
   * states and repositories of what is asked for have jobs, with how many of it are queued, and with `limit`, not with how many jobs have ended.
   */
  list(query: JobQuery): Promise<readonly Job[]>
  /** How many a list without an end would show, at most `limit`. Cost: as `list`, with what is counted in place of what is shown. */
  count(query: Omit<JobQuery, 'before'>): Promise<number>
  /** Every kind, state and repository that has jobs, in that order. Cost: grows with all jobs. */
  counts(): Promise<readonly JobCount[]>
  /** All that run, in the order of ids. At most `limit`. */
  running(limit: number): Promise<readonly RunningJob[]>
  /**
   * When the next queued job of each of some kinds is due (Unix ms); nothing of a kind of which none is queued. Cost: one look for each subject
   * that has something queued, as a claim.
   */
  nextDue(kinds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** What is claimed. */
export interface JobClaim {
  readonly kind: string
  /** Unix ms: only what is due. */
  readonly now: number
  /** Jobs at most. */
  readonly limit: number
  /** Of each subject at most, in this claim: what runs already is not counted. */
  readonly each: number
  /** Subjects that get nothing. */
  readonly except: readonly string[]
}

/** What a worker says at the end of a job. */
export interface JobEnd {
  readonly id: string
  readonly lease: number
  /** `queued`: it is begun again at `at`. Who says so has looked at `maxAttempts`: the queue does not. */
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'queued'
  /** Unix ms: of the end; of the next begin where it is queued again. */
  readonly at: number
  readonly error: string | null
  /** Not kept where it is queued again. */
  readonly result: JsonObject | null
}

/** Writes of the queue inside a transaction. */
export interface JobWriter extends JobReader {
  /** Puts a job into the queue. When one that has not ended has the same key, that one stays as it is and is answered. Errors: throws when the id is taken. */
  enqueue(job: NewJob): Promise<Job>
  /**
   * Begins jobs that are due, those that were due first before others: in the order of `runAt`, then id, within each subject and among
   * subjects. They become `running`, with one more attempt and a new lease, and are answered in that order. Concurrent calls: no job is
   * given twice.
   * Cost: grows with the subjects that have something queued and with `limit`, not with the length of the queue.
   */
  claim(claim: JobClaim): Promise<readonly Job[]>
  /** Says that a worker lives, and how far it is. Answers the job, or null when the lease is no longer the present one or the job no longer runs: the worker must stop. */
  beat(id: string, lease: number, progress?: JobProgress): Promise<Job | null>
  /** Ends a job, or puts it back. False when the lease is no longer the present one or the job no longer runs: then nothing happens. */
  finish(end: JobEnd): Promise<boolean>
  /**
   * Takes a job from a worker that is gone, given what was last seen of it: back into the queue, to the place that it had there, where it
   * has attempts left, otherwise `failed` with `error`. Answers the job; null when it moved meanwhile: its worker lives, or it ended.
   */
  release(seen: RunningJob, end: { readonly at: number; readonly error: string }): Promise<Job | null>
  /** A queued job ends as `cancelled`; one that runs is asked to (`isCancelling`). Answers the job as it is then; null when absent or ended. */
  cancel(id: string, at: number): Promise<Job | null>
  /**
   * A job that failed or was cancelled is queued again as if it had not ended, and may be begun once more than it was (`maxAttempts`
   * becomes `attempts` + 1). Null, and nothing happens, when it is absent or in another state, or when another job of its key has not ended.
   */
  retry(id: string, runAt: number): Promise<Job | null>
  /** Forgets jobs of a kind that ended before `before` (Unix ms), the oldest first, at most `limit`; returns how many. */
  sweep(query: { readonly kind: string; readonly before: number; readonly limit: number }): Promise<number>
}
