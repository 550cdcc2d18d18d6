import { BlobCorrupt, type Blobs } from '@quire/core/ports'
import { versionBlobsTable } from '@quire/store-sql'
import type { PostgresCopy } from '@quire/store-postgres/copy'
import type { SqliteRows } from '@quire/store-sqlite/rows'
import pLimit from 'p-limit'
import type { MigrationListener } from './progress.ts'

/** The source and target of binaries, the rows that name them, and who receives the progress. */
export interface BlobCopy {
  readonly source: SqliteRows
  readonly target: PostgresCopy
  readonly from: Blobs
  readonly to: Blobs
  readonly listener: MigrationListener
}

/** The result of copying or comparing binaries. */
export interface BlobsCopied {
  readonly blobs: number
  readonly bytes: number
  /** How many of them were already in the target. */
  readonly there: number
  /** A sentence for each binary that is missing or damaged. */
  readonly faults: readonly string[]
}

/**
 * Binaries that are copied at the same time. Each waits for the bucket most of the time, and a
 * large one uses 8 MiB of memory.
 */
const AT_ONCE = 8

/**
 * The progress of the copy is recorded after this many binaries. At half, every 32 binaries need a
 * write of 1 ms.
 */
const PAGE = 64

/** The name of the step that follows the copied tables. */
const STEP = 'blobs'

/**
 * Copies every binary that a version needs. Each is read on both sides and compared with its hash.
 */
export async function copyBlobs(copy: BlobCopy): Promise<BlobsCopied> {
  const { source, target, from, listener } = copy
  const after = target.location?.step === STEP ? target.location.after : null
  const totals = await totalsOf(source, from, after)
  listener.begin({ name: 'copying binaries', unit: 'bytes', total: totals.bytes, before: totals.before })
  const faults: string[] = []
  let there = totals.proxied
  for (const page of pagesOf(neededIn(source, after))) {
    const copied = await copyPage(copy, page)
    there += copied.there
    faults.push(...copied.faults)
    const last = page.at(-1)
    if (faults.length === 0 && last !== undefined) await target.reach({ step: STEP, after: last })
  }
  listener.end()
  return { blobs: totals.blobs, bytes: totals.bytes, there, faults }
}

/** Reads every needed binary in the target and compares it with its hash. */
export async function verifyBlobs({
  source,
  from,
  to,
  listener,
}: Omit<BlobCopy, 'target'>): Promise<BlobsCopied> {
  const { blobs, bytes } = await totalsOf(source, from, null)
  listener.begin({ name: 'comparing binaries', unit: 'bytes', total: bytes, before: 0 })
  const faults: string[] = []
  const limit = pLimit(AT_ONCE)
  const look = async (hash: string) => {
    const state = await to.verify(hash)
    if (state !== 'sound') faults.push(`${hash} is ${state} in ${to.name}`)
    listener.moved((await from.stat(hash))?.size ?? 0, hash)
  }
  for (const page of pagesOf(neededIn(source, null))) await Promise.all(page.map((hash) => limit(look, hash)))
  listener.end()
  return { blobs, bytes, there: blobs, faults }
}

type Outcome = 'copied' | 'there' | 'missing' | 'corrupt'

async function copyPage(copy: BlobCopy, page: readonly string[]) {
  const limit = pLimit(AT_ONCE)
  const outcomes = await Promise.all(page.map((hash) => limit(() => copyBlob(copy, hash))))
  const faults = page.flatMap((hash, index) => {
    const outcome = outcomes[index]
    return outcome === 'missing' || outcome === 'corrupt'
      ? [`${hash} is ${outcome} in ${copy.from.name}`]
      : []
  })
  return { faults, there: outcomes.filter((outcome) => outcome === 'there').length }
}

async function copyBlob({ from, to, listener }: BlobCopy, hash: string): Promise<Outcome> {
  const size = (await from.stat(hash))?.size ?? 0
  const state = await to.verify(hash)
  // A binary that exists is not written again, even if it is damaged: delete it first.
  if (state === 'corrupt') await to.delete(hash)
  const outcome = state === 'sound' ? 'there' : await sendBlob({ from, to }, hash)
  listener.moved(size, hash)
  return outcome
}

async function sendBlob({ from, to }: Pick<BlobCopy, 'from' | 'to'>, hash: string): Promise<Outcome> {
  try {
    const bytes = await from.read(hash)
    if (!bytes) return 'missing'
    return (await to.put(bytes)).hash === hash ? 'copied' : 'corrupt'
  } catch (error) {
    if (error instanceof BlobCorrupt) return 'corrupt'
    throw error
  }
}

/** The hashes that versions need, without duplicates, in ascending order. */
function* neededIn(source: SqliteRows, after: string | null): Generator<string> {
  let last = after
  const rows = after === null ? undefined : ([after, Number.MAX_SAFE_INTEGER] as const)
  for (const [hash] of source.rows(versionBlobsTable, rows)) {
    if (typeof hash !== 'string' || hash === last) continue
    last = hash
    yield hash
  }
}

function* pagesOf(hashes: Iterable<string>): Generator<string[]> {
  let page: string[] = []
  for (const hash of hashes) {
    page.push(hash)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/**
 * Number and bytes of the needed binaries. `proxied` and `before`: how many of them, and how many
 * bytes, an earlier call copied.
 */
async function totalsOf(source: SqliteRows, from: Blobs, after: string | null) {
  const totals = { blobs: 0, bytes: 0, proxied: 0, before: 0 }
  for (const hash of neededIn(source, null)) {
    const size = (await from.stat(hash))?.size ?? 0
    totals.blobs += 1
    totals.bytes += size
    if (after === null || hash > after) continue
    totals.proxied += 1
    totals.before += size
  }
  return totals
}
