import type { ClientConfig, CustomTypesConfig } from 'pg'

/** Which database, and where in it. */
export interface Target {
  readonly url: string
  readonly schema: string
}

/** How long a connection waits, in ms; 0: without end. */
interface Patience {
  /** For the end of a statement. */
  readonly statement: number
  /** For a lock that another connection holds. */
  readonly lock: number
  /** For the next statement of a transaction: the database ends it then, so that others may write. Default: `STANDING_MS`. */
  readonly standing?: number
}

/** What is answered waits no longer than this for a place among the connections, a lock or a plain read. At half, a checkpoint on a slow disk makes requests fail. */
const ANSWER_MS = 5_000

/**
 * A transaction whose process stands still longer than this is ended: nobody writes meanwhile. At half, a process that is short of memory loses
 * transactions; at twice, others wait longer than after any other fault.
 */
const STANDING_MS = 10_000

/** Of the connections of each use. What is written or counted takes as long as it holds much, but nothing takes for ever. */
export const patience = {
  read: { statement: ANSWER_MS, lock: ANSWER_MS },
  heavy: { statement: 60_000, lock: ANSWER_MS },
  write: { statement: 15_000, lock: ANSWER_MS },
  listen: { statement: ANSWER_MS, lock: ANSWER_MS },
  migrate: { statement: 0, lock: 60_000, standing: 60_000 },
} as const satisfies Readonly<Record<string, Patience>>

/** What an answer may take to come back, in ms. */
const ON_THE_WAY_MS = 1_000

/** How long a transaction waits for its beginning, in ms: for a lock, and the way there and back. */
export const BEGIN_MS = ANSWER_MS + ON_THE_WAY_MS

/** A connection on which nothing came for this long is asked whether it is still there, in seconds: whichever side is gone, the other knows after three times this. */
const PROBE_S = 5

/** How the database asks. Over a socket of its own machine these say nothing. */
const probes = `-c tcp_keepalives_idle=${PROBE_S} -c tcp_keepalives_interval=${PROBE_S} -c tcp_keepalives_count=2`

/** The settings of a connection. */
export function clientConfig({ url, schema }: Target, waits: Patience) {
  const { statement, lock, standing = STANDING_MS } = waits
  return {
    connectionString: url,
    application_name: `quire ${schema}`,
    connectionTimeoutMillis: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_S * 1_000,
    statement_timeout: statement,
    // Of a connection that is cut without a word nothing comes back, not even that the time is over.
    ...(statement > 0 && { query_timeout: statement + ON_THE_WAY_MS }),
    lock_timeout: lock,
    idle_in_transaction_session_timeout: standing,
    // Statements are small and their estimates large: to compile one to machine code takes 0.1 s, to run it a millisecond.
    options: `-c search_path=${schema} -c jit=off ${probes}`,
    types,
  } satisfies ClientConfig
}

/** Object identifiers of types whose values are numbers here: bool, int8, int2, int4, numeric. Whole numbers that are kept are safe ones. */
const numbers = new Map<number, (text: string) => number>([
  [16, (text) => Number(text === 't')],
  [20, Number],
  [21, Number],
  [23, Number],
  [1700, Number],
])

const types: CustomTypesConfig = {
  getTypeParser: (type: number) => numbers.get(type) ?? String,
}
