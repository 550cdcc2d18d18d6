import { StoreUnavailable } from '@quire/core/ports'
import { DatabaseError } from 'pg'

/** The SQLSTATE of an error of PostgreSQL (`40001`); null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof DatabaseError ? (error.code ?? null) : null
}

/**
 * Whether a transaction may succeed if it is run again, because it came too close to another one: a
 * serialization failure, a deadlock, or a unique key that the other one has taken meanwhile.
 */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error) ?? sqlState(error instanceof Error ? error.cause : null)
  return state !== null && /^(?:40001|40P01|23505)$/.test(state)
}

/** The number of the key (see `Touched`) that two transactions have in conflict; null if unknown. */
export function conflictKey(error: unknown): number | null {
  const cause = error instanceof Error && error.cause instanceof DatabaseError ? error.cause : error
  if (sqlState(cause) !== '40001' || !(cause instanceof DatabaseError)) return null
  return /^\d+$/.test(cause.detail ?? '') ? Number(cause.detail) : null
}

/**
 * Translates the error of a statement or a connection to one of the port. Bugs in the code (a
 * broken constraint, wrong SQL) stay as they are. Errors that the server did not send come from the
 * connection: it was lost, refused or timed out.
 */
export function translate(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  const state = sqlState(error)
  if (state === null) return unavailable(lostConnection, error)
  if (isDamage(error)) return unavailable(damaged, error)
  const meaning = meanings.find(({ states }) => states.test(state))
  return meaning ? unavailable(meaning, error) : error
}

type Meaning = Pick<StoreUnavailable, 'kind' | 'message'>

const lostConnection: Meaning = {
  kind: 'busy',
  message: 'The connection to the database was lost or timed out: try again.',
}

const damaged: Meaning = {
  kind: 'damaged',
  message:
    'The database is damaged or its disk failed, so it accepts no more writes: see the log of the database, run `quire doctor`, restore a backup if there is damage, then restart the server.',
}

/**
 * Internal errors, damaged tables and indexes, and disk failures. Not errors that end a connection
 * (FATAL): poolers use the same code to report that they have no connection available.
 */
function isDamage(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.severity === 'FATAL') return false
  return /^(?:XX00[0-2]|58030)$/.test(error.code ?? '')
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const meanings: readonly (Meaning & { readonly states: RegExp })[] = [
  {
    states: /^53100$/,
    kind: 'full',
    message: 'The database has no room left: free space on its disk, then try again.',
  },
  { states: /^53/, kind: 'busy', message: 'The database is out of memory or connections: try again.' },
  { states: /^(?:40001|40P01|55P03)$/, kind: 'busy', message: 'The database is busy: try again.' },
  { states: /^(?:57014|25P03|25P04)$/, kind: 'busy', message: 'The database took too long: try again.' },
  {
    states: /^(?:57P|08)/,
    kind: 'busy',
    message: 'The database is stopping or starting, or the connection was cut: try again.',
  },
  {
    states: /^25006$/,
    kind: 'busy',
    message: 'The database is read-only, like a standby: try again once a primary has taken over.',
  },
  {
    states: /^(?:28|3D|42501)/,
    kind: 'closed',
    message: 'The database refuses the user: check its name, its password and its permissions.',
  },
  {
    states: /^(?:58|XX)/,
    kind: 'closed',
    message: 'The database failed: see its log.',
  },
]

function unavailable({ kind, message }: Meaning, cause: unknown): StoreUnavailable {
  const state = sqlState(cause)
  return new StoreUnavailable(kind, state === null ? message : `${message} (${state})`, { cause })
}

/** The error of every write after a newer release has changed the tables (TRUST F28). */
export function newerError(schemaVersion: number): StoreUnavailable {
  return new StoreUnavailable(
    'closed',
    `A newer release upgraded the tables to version ${schemaVersion}: stop this server and start the newer one.`,
  )
}
