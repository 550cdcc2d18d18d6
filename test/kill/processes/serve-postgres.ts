import { join } from 'node:path'
import { quireCommand } from '../../server/quire-command.ts'
import { databaseUrl } from '../../services/postgres.ts'
import { serveArgs } from '../../server/server-process.ts'

/** A schema, and a folder for the key and the binaries. */
export interface PostgresLocation {
  readonly schema: string
  readonly folder: string
  /** The way to the database. Default: straight to that of the tests. */
  readonly database?: string
}

/** The arguments of `node` that serve a schema with the service itself; any number of processes may, each at a port of its own. */
export function servePostgres({ schema, folder, database = databaseUrl() }: PostgresLocation): string[] {
  const args = serveArgs(join(folder, 'data')).filter((arg) => !arg.startsWith('--port'))
  return [...args, ...databaseArgs(schema, database), '--log=error', baseUrl]
}

/** The arguments of `node` that examine it. */
export function examinePostgres({ schema, folder }: PostgresLocation): string[] {
  const data = `--data=${join(folder, 'data')}`
  return [...quireCommand, 'doctor', data, ...databaseArgs(schema, databaseUrl())]
}

/** The flags by which commands of `quire` find a schema. */
function databaseArgs(schema: string, database: string): string[] {
  return [`--database=${database}`, `--database-schema=${schema}`]
}

// What one process signs the others take: they are one service.
const baseUrl = '--base-url=http://127.0.0.1:3000'
