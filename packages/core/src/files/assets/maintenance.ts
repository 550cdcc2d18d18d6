import type { Call } from '../../engine/call.ts'
import type { Environment } from '../../engine/environment.ts'
import { createHashSet, type HashSet } from './hash-set.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { trimPictures } from '../renditions/trim.ts'
import { createFindings } from './find.ts'
import type { StoredBlob, Job, JsonObject } from '../../ports/index.ts'

/** Called during long maintenance with the number of blobs checked so far. */
export type Progress = (done: number) => void

/** The result of comparing the blobs with the rows that need them. */
export interface BlobFindings {
  /** Number of needed blobs that are sound. */
  readonly sound: number
  /** Hashes that versions need and that are missing. */
  readonly missing: readonly string[]
  /** Hashes whose bytes do not match. */
  readonly corrupt: readonly string[]
  /** Blobs that nothing needs, whatever their age. */
  readonly orphaned: readonly StoredBlob[]
}

// Hashes read from the store at a time.
const pageSize = 1000

/** The part of the environment that maintenance uses. */
type MaintenanceEnvironment = Pick<Environment, 'store' | 'blobs' | 'clock'>

/** Every blob that some version needs, in order. */
async function* neededBlobs({ store }: MaintenanceEnvironment): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const hashes = await store.entities.neededBlobs({ after, limit: pageSize })
    yield* hashes
    const last = hashes.at(-1)
    if (last === undefined || hashes.length < pageSize) return
    after = last
  }
}

/** A checked blob and its state. */
interface SeenBlob {
  readonly hash: string
  readonly state: 'sound' | 'missing' | 'corrupt' | 'orphaned'
  /** Whether it can be made again: it was derived from a blob that some version needs. */
  readonly isDerived: boolean
  /** Size in bytes of a blob that nothing needs; otherwise null. */
  readonly size: number | null
}

/**
 * Reads every needed blob and compares it with its hash (TRUST F13, F14), then lists those that
 * nothing needs. Changes nothing.
 */
async function* lookAtBlobs(environment: MaintenanceEnvironment): AsyncGenerator<SeenBlob> {
  const { blobs } = environment
  const needed = createHashSet()
  for await (const hash of neededBlobs(environment)) {
    if (needed.add(hash)) yield { hash, state: await blobs.verify(hash), isDerived: false, size: null }
  }
  for await (const name of blobs.derived.list()) {
    const found = needed.has(name.source) ? await blobs.derived.find(name) : null
    if (found)
      yield { hash: found.hash, state: await blobs.derived.verify(name), isDerived: true, size: null }
  }
  for await (const { hash, size } of blobs.list())
    if (!needed.has(hash)) yield { hash, state: 'orphaned', isDerived: false, size }
}

/** Everything wrong that `lookAtBlobs` finds. */
export async function scrubBlobs(
  environment: MaintenanceEnvironment,
  progress: Progress = () => undefined,
): Promise<BlobFindings> {
  const missing: string[] = []
  const corrupt: string[] = []
  const orphaned: StoredBlob[] = []
  let done = 0
  for await (const { hash, state, size } of lookAtBlobs(environment)) {
    if (state === 'orphaned') orphaned.push({ hash, size: size ?? 0 })
    else progress((done += 1))
    if (state === 'missing') missing.push(hash)
    if (state === 'corrupt') corrupt.push(hash)
  }
  return { sound: done - missing.length - corrupt.length, missing, corrupt, orphaned }
}

/** The result of a sweep. */
export interface Swept {
  readonly blobs: number
  readonly bytes: number
  /** Number of source blobs whose derived blobs were removed. */
  readonly derivations: number
}

// A blob is stored before the row that needs it, so younger blobs may be needed soon (TRUST 3.2).
// Milliseconds.
const graceMs = 24 * 60 * 60 * 1000

/**
 * Deletes blobs that nothing needs and that nobody has put for a day, derived blobs whose source
 * nothing needs, and leftovers of unfinished writes. `step` is called before each blob; if it
 * throws, the sweep ends and the error is rethrown.
 */
export async function sweepBlobs(
  environment: MaintenanceEnvironment,
  step: () => void = () => undefined,
): Promise<Swept> {
  const { blobs, clock } = environment
  const oldest = clock.now() - graceMs
  const sources = createHashSet()
  for await (const hash of neededBlobs(environment)) sources.add(hash)
  const derivations = await forgetDerived(environment, sources)
  let [count, bytes] = [0, 0]
  for await (const { hash, size, writtenDate } of blobs.list()) {
    step()
    if (sources.has(hash) || writtenDate > oldest) continue
    // If somebody puts the blob again meanwhile, it is not deleted.
    await blobs.delete(hash, oldest)
    count += 1
    bytes += size
  }
  await blobs.sweep?.(oldest)
  return { blobs: count, bytes, derivations }
}

async function forgetDerived({ blobs }: MaintenanceEnvironment, sources: HashSet): Promise<number> {
  const gone = createHashSet()
  let count = 0
  for await (const { source } of blobs.derived.list()) {
    if (sources.has(source) || !gone.add(source)) continue
    await blobs.derived.forget(source)
    count += 1
  }
  return count
}

// Texts that one transaction looks at. They are deleted at about 30 MB a second; at twice this
// value, a write may wait twice as long.
const textsAtOnce = 200

/**
 * Deletes the texts of files that no version needs. Unlike blobs they need no minimum age, because
 * a version of a file with text is stored together with the text in one transaction. `step` as in
 * `sweepBlobs`. Returns the number deleted.
 */
async function sweepTexts(call: Call, step: () => void = () => undefined): Promise<number> {
  let count = 0
  for (let after: string | null = ''; after !== null;) {
    step()
    const part: { after: string; limit: number } = { after, limit: textsAtOnce }
    const { next, forgotten } = await call.write(({ store }) => store.texts.sweep(part), { synced: false })
    count += forgotten
    after = next
  }
  return count
}

/**
 * The maintenance jobs for all files of the service: delete what nothing needs, and verify what is
 * needed.
 */
export const fileMaintenance: ReadonlyMap<string, JobHandler> = new Map([
  ['blobs.sweep', { slots: 1, each: 1, run: sweep }],
  ['blobs.scrub', { slots: 1, each: 1, run: scrub }],
])

async function sweep(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  let done = 0
  const swept = await sweepBlobs(call.environment, () => {
    signal.throwIfAborted()
    progress({ done: (done += 1), total: 0, message: 'files checked' })
  })
  const texts = await sweepTexts(call, () => signal.throwIfAborted())
  const trimmed = await trimPictures(call, { step: () => signal.throwIfAborted() })
  return { ...swept, texts, ...trimmed }
}

/** Missing and damaged blobs are logged; the first hundred are also in the result. */
async function scrub(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  const findings = createFindings()
  const counts = { sound: 0, missing: 0, corrupt: 0, orphaned: 0 }
  let orphanedBytes = 0
  let done = 0
  for await (const { hash, state, isDerived, size } of lookAtBlobs(call.environment)) {
    signal.throwIfAborted()
    counts[state] += 1
    orphanedBytes += size ?? 0
    progress({ done: (done += 1), total: 0, message: 'files read' })
    if (state !== 'missing' && state !== 'corrupt') continue
    findings.add({ what: state, file: hash, isDerived })
    call.environment.log.write('error', `blob.${state}`, { hash, isDerived, requestId: call.requestId })
  }
  return { ...counts, orphanedBytes, findings: findings.stored }
}
