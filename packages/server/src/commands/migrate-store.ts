import { resolve } from 'node:path'
import { openSqliteRows } from '@quire/store-sqlite'
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
  /** Copies nothing, and compares what was copied. */
  readonly verify: boolean
}

/**
 * Copies an installation on SQLite, which nobody serves meanwhile, to PostgreSQL and, where one is named, to a bucket. What was cut goes on where it was
 * when the command is called again. Ends with 0 only once everything is there and was compared.
 * Errors: OperatorError, StoreOpenError, StoreUnavailable, BlobsUnavailable.
 */
export async function migrateStore(options: MigrateStoreOptions): Promise<void> {
  const { data, database, bucket, key } = locationsOf(options)
  if (!database)
    throw new OperatorError('Say where to: --database postgresql://user:password@host/database.', {
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

/** Without its key nothing opens that the database keeps secret: better told now than after hours. */
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
  else print(`This was copied already, on ${new Date(copied).toISOString()}: compare it with --verify.`)
  printNextStep(migration)
}

async function verify(migration: Migration): Promise<void> {
  const start = performance.now()
  printCopied(await verifyInstallation(migration), start)
}

function printCopied({ compared, blobs, uploads }: Copied, start: number): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const megabytes = ((blobs?.bytes ?? 0) / 1_000_000).toFixed(1)
  const binaries = blobs ? ` and ${blobs.blobs} binaries (${megabytes} MB; ${blobs.there} were there)` : ''
  print(`${compared.rows} rows${binaries} are the same in both, after ${seconds} s.`)
  if (compared.withoutNul > 0)
    print(
      `${compared.withoutNul} rows have a NUL in a text, which PostgreSQL cannot hold: there it is U+FFFD.`,
    )
  if (uploads > 0)
    print(`${uploads} uploads that had not come to their end stay behind: who sends them begins anew.`)
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
  print('Every server and worker needs that key file, as it is. A password of the database is left out here.')
  print(`${source.file} is as it was: serve it no more.`)
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
