import type { Environment } from '../call/environment.ts'
import type { StoredBlob } from '../ports/index.ts'

/** Told as a long piece of upkeep goes on: blobs that were looked at. */
export type Progress = (done: number) => void

/** What is wrong with what rows need. */
export interface BlobFindings {
  /** Blobs that were looked at. */
  readonly sound: number
  /** Hashes that versions need and that are not there. */
  readonly missing: readonly string[]
  /** Hashes whose bytes are others. */
  readonly corrupt: readonly string[]
  /** Blobs that nothing needs, whatever their age. */
  readonly orphaned: readonly StoredBlob[]
}

// Hashes that are asked of the store at once.
const pageSize = 1000

/** What upkeep works on. */
type Upkept = Pick<Environment, 'store' | 'blobs' | 'clock'>

/** Every blob that some version needs, in order. */
async function* neededBlobs({ store }: Upkept): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const hashes = await store.entities.neededBlobs({ after, limit: pageSize })
    yield* hashes
    const last = hashes.at(-1)
    if (last === undefined || hashes.length < pageSize) return
    after = last
  }
}

/** Every blob that is needed: by a version, or as what was derived of one that is. */
async function markBlobs(environment: Upkept): Promise<ReadonlySet<string>> {
  const marked = new Set<string>()
  for await (const hash of neededBlobs(environment)) marked.add(hash)
  const sources = new Set(marked)
  for await (const { source, blob } of environment.blobs.derived.list())
    if (sources.has(source)) marked.add(blob.hash)
  return marked
}

/** Reads every blob that is needed and compares it with its hash (TRUST F13, F14). Changes nothing. */
export async function scrubBlobs(
  environment: Upkept,
  progress: Progress = () => undefined,
): Promise<BlobFindings> {
  const { blobs } = environment
  const marked = await markBlobs(environment)
  const missing: string[] = []
  const corrupt: string[] = []
  let done = 0
  for (const hash of marked) {
    const state = await blobs.verify(hash)
    if (state === 'missing') missing.push(hash)
    if (state === 'corrupt') corrupt.push(hash)
    progress((done += 1))
  }
  const orphaned: StoredBlob[] = []
  for await (const { hash, size } of blobs.list()) if (!marked.has(hash)) orphaned.push({ hash, size })
  return { sound: marked.size - missing.length - corrupt.length, missing, corrupt, orphaned }
}

/** What a sweep removed. */
export interface Swept {
  readonly blobs: number
  readonly bytes: number
  readonly derivations: number
}

// A blob is kept before the row that needs it: younger ones may be about to be needed (TRUST 3.2). Unix ms.
const graceMs = 24 * 60 * 60 * 1000

/** Removes blobs that nothing needs and that nobody put for a day, and forgets what was derived of those that are gone. */
export async function sweepBlobs(environment: Upkept, grace = graceMs): Promise<Swept> {
  const { blobs, clock } = environment
  const oldest = clock.now() - grace
  const marked = await markBlobs(environment)
  const derivations = await forgetDerived(environment, marked)
  let [count, bytes] = [0, 0]
  for await (const { hash, size, writtenDate } of blobs.list()) {
    if (marked.has(hash) || writtenDate > oldest) continue
    // Whoever puts it again meanwhile keeps it.
    await blobs.delete(hash, oldest)
    count += 1
    bytes += size
  }
  return { blobs: count, bytes, derivations }
}

async function forgetDerived({ blobs }: Upkept, marked: ReadonlySet<string>): Promise<number> {
  const gone = new Set<string>()
  for await (const { source } of blobs.derived.list()) if (!marked.has(source)) gone.add(source)
  for (const source of gone) await blobs.derived.forget(source)
  return gone.size
}
