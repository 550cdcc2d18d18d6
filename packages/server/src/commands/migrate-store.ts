import { resolve } from 'node:path'
import { openSqliteRows } from '@quire/store-sqlite/rows'
import {
  type Copied,
  type Migration,
  copyInstallation,
  verifyInstallation,
} from '../migrate-store/installation.ts'
import { OperatorError } from '../operator-error.ts'
import { type DataFolder, requireDataFolder } from '../storage/data-folder.ts'
import { keyProblem } from '../storage/server-key.ts'
import { migrateProgress } from './migrate-progress.ts'
import { type StorageFlags, locationsOf } from './storage-flags.ts'

/** Options of `quire migrate-store`, parsed. */
export interface MigrateStoreOptions extends StorageFlags {
  /** Only compares an earlier copy with its source. */
  readonly verify: boolean
}

/**
 * Copies an SQLite installation that no server uses to PostgreSQL and, where one is named, to a
 * bucket. Calling the command again resumes an interrupted copy. Exits with 0 only once everything
 * was copied and compared.
 * Errors: OperatorError, StoreOpenError, StoreUnavailable, BlobsUnavailable.
 */
export async function migrateStore(options: MigrateStoreOptions): Promise<void> {
  const { data, database, bucket, key } = locationsOf(options)
  if (!database)
    throw new OperatorError('Name the target: --database postgresql://user:password@host/database.', {
      exitCode: 2,
    })
  const folder = await requireDataFolder(data, key)
  await requireKey(folder)
  const source = openSqliteRows(folder.database)
  try {
    const migration = { source, folder, database, bucket, listener: migrateProgress(process.stdout) }
    await (options.verify ? verify(migration) : copy(migration))
  } finally {
    source.close()
  }
}

/**
 * Without its key the secrets in the database cannot be read: fail now, not after hours of copying.
 */
async function requireKey({ key }: DataFolder): Promise<void> {
  const problem = await keyProblem(key)
  if (problem === 'missing')
    throw new OperatorError(`${key} is missing: restore it, or name the key of this installation with --key.`)
  if (problem !== null) throw new OperatorError(`${problem}.`)
}

async function copy(migration: Migration & { readonly folder: DataFolder }): Promise<void> {
  const start = performance.now()
  const copied = await copyInstallation(migration)
  if (typeof copied !== 'number') printCopied(copied, start)
  else print(`The copy was already completed on ${new Date(copied).toISOString()}: compare it with --verify.`)
  printNextStep(migration)
}

async function verify(migration: Migration): Promise<void> {
  const start = performance.now()
  printCopied(await verifyInstallation(migration), start)
}

function printCopied({ compared, blobs, uploads }: Copied, start: number): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const megabytes = ((blobs?.bytes ?? 0) / 1_000_000).toFixed(1)
  const binaries = blobs
    ? ` and ${blobs.blobs} binaries (${megabytes} MB; ${blobs.there} were already there)`
    : ''
  print(`${compared.rows} rows${binaries} are the same in source and copy, after ${seconds} s.`)
  if (compared.withoutNul > 0)
    print(
      `${compared.withoutNul} rows have NUL characters in a text, which PostgreSQL cannot store: the copy has U+FFFD instead.`,
    )
  if (uploads > 0)
    print(`${uploads} unfinished uploads were not copied: their clients have to start them again.`)
}

function printNextStep({
  source,
  folder,
  database,
  bucket,
}: Migration & { readonly folder: DataFolder }): void {
  const flags = [`--database ${withoutPassword(database.url)}`]
  if (database.schema !== undefined) flags.push(`--database-schema ${database.schema}`)
  flags.push(
    bucket ? `--blobs s3://${bucket.bucket}/${bucket.prefix ?? ''}` : `--data ${resolve(folder.path)}`,
  )
  if (bucket?.endpoint !== undefined) flags.push(`--s3-endpoint ${bucket.endpoint}`)
  if (bucket?.region !== undefined) flags.push(`--s3-region ${bucket.region}`)
  flags.push(`--key ${resolve(folder.key)}`)
  print(`Serve it with: quire serve ${flags.join(' ')}`)
  print(
    'Every server and worker needs an exact copy of that key file. The database password is not shown here.',
  )
  print(`${source.file} was not changed. Do not serve it any more.`)
}

function withoutPassword(url: string): string {
  const visible = new URL(url)
  visible.password = ''
  visible.searchParams.delete('password')
  return visible.href
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
