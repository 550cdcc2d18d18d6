import type { PartWords, ReindexPart, SqlValue } from '@quire/store-sql'

/** What the thread is started with. */
export interface ThreadSetup {
  readonly file: string
  /** What the file may grow to. */
  readonly maxBytes?: number
  /** How far it lets others go first where processors are few: what is added to its nice value, from 0, as everybody else, to 19, the last. */
  readonly nice?: number
}

/** What the thread can be asked to do: of each job what it is given and what it gives. A job runs alone and to its end. */
export interface Jobs {
  /** Every row of one statement, over what was committed before it. `never`: what the rows hold only who wrote the statement knows. */
  readonly read: { readonly input: Statement; readonly result: never[] }
  /** See `Reindexing`. */
  readonly readWords: { readonly input: ReindexPart; readonly result: PartWords }
  /** The same, over a connection that writes: to be asked for only while nothing else does. */
  readonly writeWords: { readonly input: PartWords; readonly result: void }
}

/** A statement as SQLite takes it. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** See `Prepared.all`. */
  readonly mostText?: number | undefined
}

/** A job by name. */
export type JobName = keyof Jobs

/** How the thread does its jobs. */
export type JobTable = {
  readonly [N in JobName]: (input: Jobs[N]['input']) => Jobs[N]['result'] | Promise<Jobs[N]['result']>
}

/** A job on its way to the thread. */
export type Request<N extends JobName = JobName> = {
  readonly [M in N]: { readonly id: number; readonly name: M; readonly input: Jobs[M]['input'] }
}[N]

/** How it ended, on its way back. `result` is `never`: what it is only the caller of the job of this id knows. */
export type Answer =
  | { readonly id: number; readonly result: never }
  | { readonly id: number; readonly failure: Failure }

/** An error without what cannot cross between threads. */
export interface Failure {
  readonly message: string
  /** Of SQLite; null for any other error. */
  readonly code: string | null
}
