import type { Blobs } from '@quire/core/ports'
import { openPostgresStore } from '@quire/store-postgres'
import { type PostgresCopy, openPostgresCopied, openPostgresCopy } from '@quire/store-postgres/copy'
import type { SqliteRows } from '@quire/store-sqlite/rows'
import { OperatorError } from '../operator-error.ts'
import { withPackage } from '../optional-package.ts'
import type { DataFolder } from '../storage/data-folder.ts'
import type { BucketLocation, DatabaseLocation } from '../storage/locations.ts'
import { openServerKeys } from '../storage/server-key.ts'
import { sharedSecrets } from '../storage/shared-keys.ts'
import { type Compared, compareRows } from './compare-rows.ts'
import { type BlobsCopied, copyBlobs, verifyBlobs } from './copy-blobs.ts'
import { copyRows } from './copy-rows.ts'
import type { MigrationListener } from './progress.ts'
import { fingerprintOf } from './source-fingerprint.ts'

/** An installation in a data folder, and the target of its copy. */
export interface Migration {
  readonly source: SqliteRows
  readonly folder: Pick<DataFolder, 'key' | 'blobs' | 'database'>
  readonly database: DatabaseLocation
  /** The bucket for binaries; undefined leaves them in the folder. */
  readonly bucket?: BucketLocation | undefined
  readonly listener: MigrationListener
}

/** The result of a copy that was compared and is identical. */
export interface Copied {
  readonly compared: Compared
  /** Null when they stay in the folder. */
  readonly blobs: BlobsCopied | null
  /** Unfinished uploads, which are not copied. */
  readonly uploads: number
}

/**
 * Copies what earlier calls did not copy, compares everything, and only then lets servers open the
 * copy. Returns when the copy was completed, in Unix milliseconds, if an earlier call completed it.
 * Errors: OperatorError when source and copy differ; StoreOpenError, StoreUnavailable,
 * BlobsUnavailable.
 */
export async function copyInstallation(migration: Migration): Promise<Copied | number> {
  const target = await openPostgresCopy({ ...migration.database, source: fingerprintOf(migration.source) })
  try {
    const copied = target.finished ?? (await copyAll(migration, target))
    await storeKeys(migration)
    return copied
  } finally {
    await target.close()
  }
}

/** Compares the whole copy with its source. Errors: as `copyInstallation`. */
export async function verifyInstallation(migration: Migration): Promise<Copied> {
  const target = await openPostgresCopied(migration.database)
  try {
    const compared = await compareRows({ ...migration, target })
    requireSame(migration, compared)
    const { from, to } = await openBlobs(migration)
    const blobs = from && to ? await verifyBlobs({ ...migration, from, to }) : null
    requireSound(blobs)
    return { compared, blobs, uploads: 0 }
  } finally {
    await target.close()
  }
}

async function copyAll(migration: Migration, target: PostgresCopy): Promise<Copied> {
  await copyRows({ ...migration, target })
  const compared = await compareRows({ ...migration, target })
  requireSame(migration, compared)
  const { from, to } = await openBlobs(migration)
  const blobs = from && to ? await copyBlobs({ ...migration, target, from, to }) : null
  requireSound(blobs)
  await finish(migration, target)
  return { compared, blobs, uploads: from ? await uploadsIn(from) : 0 }
}

async function finish({ listener }: Migration, target: PostgresCopy): Promise<void> {
  const steps = await target.lastSteps()
  listener.begin({ name: 'creating indexes', unit: 'steps', total: steps.length, before: 0 })
  for (const step of steps) {
    await step.run()
    listener.moved(1, step.name)
  }
  listener.end()
  await target.finish()
}

function requireSame({ source, database }: Migration, { differences }: Compared): void {
  if (differences.length === 0) return
  throw new OperatorError(
    `The copy differs from ${source.file}: ${differences.join('; ')}. This is expected if one of them was changed since; otherwise drop the schema ${database.schema ?? 'quire'} and copy again.`,
  )
}

/** Most faults that a message lists. */
const NAMED = 10

function requireSound(blobs: BlobsCopied | null): void {
  if (!blobs || blobs.faults.length === 0) return
  const { faults } = blobs
  const named = `${faults.slice(0, NAMED).join('; ')}${faults.length > NAMED ? '…' : ''}`
  throw new OperatorError(
    `${faults.length} of ${blobs.blobs} binaries are missing or damaged: ${named}. Restore them from a backup, then run the command again.`,
  )
}

async function openBlobs({ folder, bucket }: Migration): Promise<{ from?: Blobs; to?: Blobs }> {
  if (!bucket) return {}
  const [{ openFileBlobs }, { openS3Blobs }] = await Promise.all([
    import('@quire/blobs-fs'),
    withPackage('@quire/blobs-s3', () => import('@quire/blobs-s3')),
  ])
  return { from: await openFileBlobs({ folder: folder.blobs }), to: await openS3Blobs(bucket) }
}

async function uploadsIn({ partials }: Blobs): Promise<number> {
  let count = 0
  for await (const _ of partials.list()) count += 1
  return count
}

/**
 * Stores the keys of the installation in the database, where its servers expect them. A server that
 * starts without the key file is then refused instead of creating a new key.
 */
async function storeKeys({ folder, database }: Migration): Promise<void> {
  const store = await openPostgresStore(database)
  try {
    await sharedSecrets(store, (await openServerKeys({ ...folder, isNew: false })).keys)
  } finally {
    await store.close()
  }
}
