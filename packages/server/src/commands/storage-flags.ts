import { type Command, InvalidArgumentError, Option } from 'commander'
import { requireDataFolder } from '../storage/data-folder.ts'
import { parseUrl } from './flags.ts'
import { OperatorError } from '../operator-error.ts'
import type { BucketLocation, StorageLocations } from '../storage/locations.ts'

/** Where everything is kept, as commands are told. */
export interface StorageFlags {
  readonly data: string
  readonly database?: string
  readonly databaseSchema?: string
  readonly databaseConnections?: number
  readonly blobs?: Pick<BucketLocation, 'bucket' | 'prefix'>
  readonly s3Endpoint?: string
  readonly s3Region?: string
  readonly key?: string
}

/** Adds the flags that say where everything is kept. The keys of a bucket are no flags: a command line is seen by everybody on the machine. */
export function addStorageFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--data <folder>', 'where everything is kept that has no other place')
        .env('QUIRE_DATA')
        .default('./.quire'),
    )
    .addOption(
      new Option(
        '--database <url>',
        'PostgreSQL instead of SQLite: postgresql://user:password@host/database',
      ).env('QUIRE_DATABASE'),
    )
    .addOption(
      new Option('--database-schema <name>', 'schema of that database (default: quire)').env(
        'QUIRE_DATABASE_SCHEMA',
      ),
    )
    .addOption(
      new Option('--database-connections <number>', 'connections to it at most, from 6 on (default: 12)')
        .env('QUIRE_DATABASE_CONNECTIONS')
        .argParser(parseConnections),
    )
    .addOption(
      new Option(
        '--blobs <place>',
        'bucket of binaries: s3://bucket/prefix; its key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or where AWS keeps it',
      )
        .env('QUIRE_BLOBS')
        .argParser(parseBucket),
    )
    .addOption(
      new Option('--s3-endpoint <url>', 'who has the bucket (default: AWS)')
        .env('QUIRE_S3_ENDPOINT')
        .argParser(parseUrl),
    )
    .addOption(
      new Option('--s3-region <name>', 'where the bucket is (default: us-east-1)').env('QUIRE_S3_REGION'),
    )
    .addOption(
      new Option(
        '--key <file>',
        'key that servers on one database share (default: server.key in the data folder)',
      ).env('QUIRE_KEY'),
    )
}

/** The places that flags name. Errors: OperatorError, of a wrong call, for a flag that says something of what is not there. */
export function locationsOf(flags: StorageFlags): StorageLocations {
  requireTogether(flags)
  const { data, database, blobs, key } = flags
  if (database !== undefined) requireDatabase(database)
  return {
    data,
    ...(key !== undefined && { key }),
    ...(database !== undefined && { database: databaseOf(database, flags) }),
    ...(blobs && { bucket: bucketOf(blobs, flags) }),
  }
}

/** The same for what works only where something is kept already. Errors: OperatorError when nothing is. */
export async function storedLocationsOf(flags: StorageFlags): Promise<StorageLocations> {
  const locations = locationsOf(flags)
  if (locations.database) return { ...locations, database: { ...locations.database, mustExist: true } }
  await requireDataFolder(locations.data)
  return locations
}

/** Who does what a command queues: on a database its servers and workers, who are allowed more than a command is. */
export function jobsOf({ database }: StorageLocations): { readonly jobs: 'here' | 'elsewhere' } {
  return { jobs: database ? 'elsewhere' : 'here' }
}

function databaseOf(url: string, { databaseSchema, databaseConnections }: StorageFlags) {
  return {
    url,
    ...(databaseSchema !== undefined && { schema: databaseSchema }),
    ...(databaseConnections !== undefined && { maxConnections: databaseConnections }),
  }
}

function bucketOf(
  location: Pick<BucketLocation, 'bucket' | 'prefix'>,
  { s3Endpoint, s3Region }: StorageFlags,
) {
  return {
    ...location,
    ...(s3Endpoint !== undefined && { endpoint: s3Endpoint }),
    ...(s3Region !== undefined && { region: s3Region }),
  }
}

function requireTogether(flags: StorageFlags): void {
  const { database, databaseSchema, databaseConnections, blobs, s3Endpoint, s3Region } = flags
  const textOf = (...members: unknown[]) => members.some((member) => member !== undefined)
  if (database === undefined && textOf(databaseSchema, databaseConnections))
    throw wrongCall('--database-schema and --database-connections need --database.')
  if (!blobs && textOf(s3Endpoint, s3Region)) throw wrongCall('--s3-endpoint and --s3-region need --blobs.')
}

/** The refusal of flags that do not belong together. */
export function wrongCall(message: string): OperatorError {
  return new OperatorError(message, { exitCode: 2 })
}

// Not by commander, which says again what it refuses: it may hold a password.
function requireDatabase(url: string): void {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return
  throw wrongCall('--database takes postgresql://user:password@host:5432/database.')
}

function parseConnections(text: string): number {
  const connections = Number(text)
  if (/^\d{1,3}$/.test(text) && connections >= 4) return connections
  throw new InvalidArgumentError('Connections are a whole number from 4 to 999.')
}

function parseBucket(text: string): Pick<BucketLocation, 'bucket' | 'prefix'> {
  const [, bucket, path = ''] = /^s3:\/\/([^/?#]+)\/?([^?#]*)$/.exec(text) ?? []
  if (bucket === undefined) throw new InvalidArgumentError('A bucket is s3://bucket or s3://bucket/prefix.')
  const prefix = path.replace(/\/+$/, '')
  return { bucket, ...(prefix !== '' && { prefix: `${prefix}/` }) }
}
