import { type Command, InvalidArgumentError, Option } from 'commander'
import { requireDataFolder } from '../storage/data-folder.ts'
import { parseUrl } from './flags.ts'
import { OperatorError } from '../operator-error.ts'
import type { BucketLocation, StorageLocations } from '../storage/locations.ts'

/** The flags for where data is stored, parsed. */
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

/** The flag for the data folder. */
export function dataOption(description: string): Option {
  return new Option('--data <folder>', description).env('QUIRE_DATA').default('./.quire')
}

/**
 * Adds the flags for where data is stored. The keys of a bucket are not flags: other users of the
 * machine can read command lines.
 */
export function addStorageFlags(command: Command): Command {
  return command
    .addOption(dataOption('folder for all data that is not stored elsewhere'))
    .addOption(
      new Option(
        '--database <url>',
        'PostgreSQL instead of SQLite: postgresql://user:password@host/database',
      ).env('QUIRE_DATABASE'),
    )
    .addOption(
      new Option('--database-schema <name>', 'schema in that database (default: quire)').env(
        'QUIRE_DATABASE_SCHEMA',
      ),
    )
    .addOption(
      new Option(
        '--database-connections <number>',
        'maximum number of connections to it, at least 7 (default: 12)',
      )
        .env('QUIRE_DATABASE_CONNECTIONS')
        .argParser(parseConnections),
    )
    .addOption(
      new Option(
        '--blobs <location>',
        'bucket for binaries: s3://bucket/prefix; its key comes from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from where the AWS SDK finds it',
      )
        .env('QUIRE_BLOBS')
        .argParser(parseBucket),
    )
    .addOption(
      new Option('--s3-endpoint <url>', 'address of the S3 service that has the bucket (default: AWS)')
        .env('QUIRE_S3_ENDPOINT')
        .argParser(parseUrl),
    )
    .addOption(
      new Option('--s3-region <name>', 'region of the bucket (default: us-east-1)').env('QUIRE_S3_REGION'),
    )
    .addOption(
      new Option(
        '--key <file>',
        'file with the key that all servers on one database share (default: server.key in the data folder)',
      ).env('QUIRE_KEY'),
    )
}

/**
 * The storage locations that the flags name. Errors: OperatorError with exit code 2 for a flag that
 * needs another one that is missing.
 */
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

/** The same for commands that need existing data. Errors: OperatorError when there is none. */
export async function storedLocationsOf(flags: StorageFlags): Promise<StorageLocations> {
  const locations = locationsOf(flags)
  if (locations.database) return { ...locations, database: { ...locations.database, mustExist: true } }
  await requireDataFolder(locations.data)
  return locations
}

/**
 * Where the jobs that a command queues run. On a database, its servers and workers run them: their
 * egress rules may allow more than the command's.
 */
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
  const isAnyGiven = (...members: unknown[]) => members.some((member) => member !== undefined)
  if (database === undefined && isAnyGiven(databaseSchema, databaseConnections))
    throw wrongCall('--database-schema and --database-connections need --database.')
  if (!blobs && isAnyGiven(s3Endpoint, s3Region))
    throw wrongCall('--s3-endpoint and --s3-region need --blobs.')
}

/** The error for flags that do not fit together: exit code 2. */
export function wrongCall(message: string): OperatorError {
  return new OperatorError(message, { exitCode: 2 })
}

// Not checked by commander, which repeats an invalid value in its message: it may hold a password.
function requireDatabase(url: string): void {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return
  throw wrongCall('--database must look like postgresql://user:password@host:5432/database.')
}

function parseConnections(text: string): number {
  const connections = Number(text)
  if (/^\d{1,3}$/.test(text) && connections >= 6) return connections
  throw new InvalidArgumentError('The number of connections must be a whole number from 6 to 999.')
}

function parseBucket(text: string): Pick<BucketLocation, 'bucket' | 'prefix'> {
  const [, bucket, path = ''] = /^s3:\/\/([^/?#]+)\/?([^?#]*)$/.exec(text) ?? []
  if (bucket === undefined)
    throw new InvalidArgumentError('A bucket must look like s3://bucket or s3://bucket/prefix.')
  const prefix = path.replace(/\/+$/, '')
  return { bucket, ...(prefix !== '' && { prefix: `${prefix}/` }) }
}

/** Adds the flags for where a command runs: on stored data, or against a running service. */
export function addConnectionFlags(command: Command): void {
  addStorageFlags(command)
    .addOption(
      new Option('--url <url>', 'running service to use instead of a data folder').argParser(parseUrl),
    )
    .addOption(new Option('--client-id <id>', 'service account, with --url').env('QUIRE_CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'its secret, with --url').env('QUIRE_CLIENT_SECRET'))
}
