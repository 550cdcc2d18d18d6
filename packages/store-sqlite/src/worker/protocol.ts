import type { PartWords, ReindexPart, SqlValue } from '@quire/store-sql'

export interface ThreadSetup {
  readonly file: string
  /** The maximum size of the file in bytes. */
  readonly maxBytes?: number
  /** Added to the thread's nice value: 0 is the normal priority, 19 the lowest. */
  readonly nice?: number
}

/** The jobs of the thread, with input and result. Each job runs alone, without interruption. */
export interface Jobs {
  /**
   * Reads all rows of one statement, over the committed state. `never`: only the author of the
   * statement knows the type of its rows.
   */
  readonly read: { readonly input: Statement; readonly result: never[] }
  /** See `Reindexing`. */
  readonly readWords: { readonly input: ReindexPart; readonly result: PartWords }
  /** The same, over a writing connection. Request it only while nothing else writes. */
  readonly writeWords: { readonly input: PartWords; readonly result: void }
}

/** A statement with its parameters. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** See `Prepared.all`. */
  readonly mostText?: number | undefined
}

export type JobName = keyof Jobs

/** The implementation of each job. */
export type JobTable = {
  readonly [N in JobName]: (input: Jobs[N]['input']) => Jobs[N]['result'] | Promise<Jobs[N]['result']>
}

/** A message to the thread that requests a job. */
export type Request<N extends JobName = JobName> = {
  readonly [M in N]: { readonly id: number; readonly name: M; readonly input: Jobs[M]['input'] }
}[N]

/**
 * The thread's reply. `result` is `never`: only the caller of the job with this id knows its type.
 */
export type Answer =
  | { readonly id: number; readonly result: never }
  | { readonly id: number; readonly failure: Failure }

/** The parts of an error that can cross between threads. */
export interface Failure {
  readonly message: string
  /** SQLite's error code; null for other errors. */
  readonly code: string | null
}
