import type { ClientConfig, CustomTypesConfig } from 'pg'

/** A database, and the schema in it. */
export interface Target {
  readonly url: string
  readonly schema: string
}

/** Timeouts of a connection, in ms; 0 means none. */
interface Patience {
  /** For a statement. */
  readonly statement: number
  /** For a lock that another connection holds. */
  readonly lock: number
  /**
   * For the next statement of an open transaction. The database then ends it, so that others can
   * write. Default: `STANDING_MS`.
   */
  readonly standing?: number
}

/**
 * The timeout of a request for a connection, a lock or a plain read. At half, a checkpoint on a
 * slow disk makes requests fail.
 */
const ANSWER_MS = 5_000

/**
 * A transaction whose process is idle for longer than this is ended, because nobody can write
 * meanwhile. At half, a process that is short of memory loses transactions; at twice, others wait
 * longer than after any other fault.
 */
const STANDING_MS = 10_000

/**
 * Timeouts by the use of a connection. Writes and counts may take as long as the data requires, but
 * not forever.
 */
export const patience = {
  read: { statement: ANSWER_MS, lock: ANSWER_MS },
  heavy: { statement: 60_000, lock: ANSWER_MS },
  write: { statement: 15_000, lock: ANSWER_MS },
  listen: { statement: ANSWER_MS, lock: ANSWER_MS },
  migrate: { statement: 0, lock: 60_000, standing: 60_000 },
} as const satisfies Readonly<Record<string, Patience>>

/** The time that a response may take on the network, in ms. */
const ON_THE_WAY_MS = 1_000

/** How long a transaction waits for its start, in ms: for a lock, and for the round trip. */
export const BEGIN_MS = ANSWER_MS + ON_THE_WAY_MS

/**
 * A connection is probed after this many seconds without traffic. If either side is gone, the other
 * one knows after three times this.
 */
const PROBE_S = 5

/** The probes from the database's side. Without effect on Unix sockets. */
const probes = `-c tcp_keepalives_idle=${PROBE_S} -c tcp_keepalives_interval=${PROBE_S} -c tcp_keepalives_count=2`

/** The name that every connection of Quire to a schema has in `pg_stat_activity`. */
export function applicationName(schema: string): string {
  return `quire ${schema}`
}

export function clientConfig({ url, schema }: Target, waits: Patience) {
  const { statement, lock, standing = STANDING_MS } = waits
  return {
    connectionString: url,
    application_name: applicationName(schema),
    connectionTimeoutMillis: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_S * 1_000,
    statement_timeout: statement,
    // Also a timeout on this side: nothing arrives over a silently cut connection, not even the
    // server's timeout error.
    ...(statement > 0 && { query_timeout: statement + ON_THE_WAY_MS }),
    lock_timeout: lock,
    idle_in_transaction_session_timeout: standing,
    // Statements are small but their estimates are large: compiling one to machine code takes 0.1
    // s, running it a millisecond.
    options: `-c search_path=${schema} -c jit=off ${probes}`,
    types,
  } satisfies ClientConfig
}

/**
 * Object identifiers of types whose values are numbers here: bool, int8, int2, int4, numeric. All
 * stored integers are safe ones.
 */
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
