import { StoreUnavailable } from '@quire/core/ports'
import { DatabaseError } from 'pg'

/** The SQLSTATE of an error of PostgreSQL (`40001`); null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof DatabaseError ? (error.code ?? null) : null
}

/**
 * What a statement or a connection failed with, as the port knows it. What is a fault of the code (a broken constraint, wrong SQL) stays as it is. What the
 * server did not say itself comes from the way to it: the connection was lost, refused or not there in time.
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
  message: 'The connection to the database was lost or not there in time: try again.',
}

const damaged: Meaning = {
  kind: 'damaged',
  message:
    'The database is damaged or its disk failed, and nothing more is written: see the log of the database, run `quire doctor`, restore a backup if there is damage, then restart the server.',
}

/**
 * Internal errors, damaged tables and indexes, and failures of the disk. Not what ends a connection (FATAL): poolers say so, with the same code, that they
 * have none to give.
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
  { states: /^53/, kind: 'busy', message: 'The database has no memory or connection left: try again.' },
  { states: /^(?:40001|40P01|55P03)$/, kind: 'busy', message: 'The database is busy: try again.' },
  { states: /^(?:57014|25P03|25P04)$/, kind: 'busy', message: 'The database took too long: try again.' },
  { states: /^(?:57P|08)/, kind: 'busy', message: 'The database stops, starts or was cut off: try again.' },
  {
    states: /^25006$/,
    kind: 'busy',
    message: 'The database is read-only, as a standby is: try again once another one has taken over.',
  },
  {
    states: /^(?:28|3D|42501)/,
    kind: 'closed',
    message: 'The database refuses the user: check its name, its password and its rights.',
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

/** The error of every write once a newer release has changed the tables (TRUST F28). */
export function newerError(schemaVersion: number): StoreUnavailable {
  return new StoreUnavailable(
    'closed',
    `A newer release brought the tables to version ${schemaVersion}: stop this one, and start the newer.`,
  )
}
