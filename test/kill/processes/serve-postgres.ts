import { join } from 'node:path'
import { quireCommand } from '../../server/quire-command.ts'
import { databaseUrl } from '../../services/postgres.ts'
import { serveArgs } from '../../server/server-process.ts'

/** A schema, and a folder for the key and the blobs. */
export interface PostgresLocation {
  readonly schema: string
  readonly folder: string
  /** The URL of the database. Default: that of the tests. */
  readonly database?: string
}

/**
 * The arguments of `node` that serve a schema with the real service. Several processes may do so,
 * each on its own port.
 */
export function servePostgres({ schema, folder, database = databaseUrl() }: PostgresLocation): string[] {
  const args = serveArgs(join(folder, 'data')).filter((arg) => !arg.startsWith('--port'))
  return [...args, ...databaseArgs(schema, database), '--log=error', baseUrl]
}

/** The arguments of `node` that run `quire doctor` on a schema. */
export function examinePostgres({ schema, folder }: PostgresLocation): string[] {
  const data = `--data=${join(folder, 'data')}`
  return [...quireCommand, 'doctor', data, ...databaseArgs(schema, databaseUrl())]
}

/** The flags that select a schema in `quire` commands. */
function databaseArgs(schema: string, database: string): string[] {
  return [`--database=${database}`, `--database-schema=${schema}`]
}

// All processes must accept each other's tokens, so they have the same base URL.
const baseUrl = '--base-url=http://127.0.0.1:3000'
