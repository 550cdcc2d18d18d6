import type { Call } from '../../engine/call.ts'
import type { Environment } from '../../engine/environment.ts'
import { createHashSet, type ItemState } from './hash-set.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { trimPictures } from '../renditions/trim.ts'
import { createFindings } from './find.ts'
import type { StoredBlob, Job, JsonObject } from '../../ports/index.ts'

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

/** A blob that was looked at, in which state it was found. */
interface SeenBlob {
  readonly hash: string
  readonly state: 'sound' | 'missing' | 'corrupt' | 'orphaned'
  /** Whether it can be made again: no version needs it, it was derived of one that some version needs. */
  readonly isDerived: boolean
  /** Bytes of what nothing needs; null where they were not counted. */
  readonly size: number | null
}

/** Reads every blob that is needed and compares it with its hash (TRUST F13, F14), then names those that nothing needs. Changes nothing. */
async function* lookAtBlobs(environment: Upkept): AsyncGenerator<SeenBlob> {
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

/** Everything that `lookAtBlobs` finds wrong. */
export async function scrubBlobs(
  environment: Upkept,
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

/** What a sweep removed. */
export interface Swept {
  readonly blobs: number
  readonly bytes: number
  /** Blobs of which everything that was made of them is gone. */
  readonly derivations: number
}

// A blob is kept before the row that needs it: younger ones may be about to be needed (TRUST 3.2). Unix ms.
const graceMs = 24 * 60 * 60 * 1000

/**
 * Removes blobs that nothing needs and that nobody put for a day, forgets what was derived of those that are gone, and removes what was left behind. `step` is called before each blob;
 * a throw ends the sweep and is passed on.
 */
export async function sweepBlobs(environment: Upkept, step: () => void = () => undefined): Promise<Swept> {
  const { blobs, clock } = environment
  const oldest = clock.now() - graceMs
  const sources = createHashSet()
  for await (const hash of neededBlobs(environment)) sources.add(hash)
  const derivations = await forgetDerived(environment, sources)
  let [count, bytes] = [0, 0]
  for await (const { hash, size, writtenDate } of blobs.list()) {
    step()
    if (sources.has(hash) || writtenDate > oldest) continue
    // Whoever puts it again meanwhile keeps it.
    await blobs.delete(hash, oldest)
    count += 1
    bytes += size
  }
  await blobs.sweep?.(oldest)
  return { blobs: count, bytes, derivations }
}

async function forgetDerived({ blobs }: Upkept, sources: ItemState): Promise<number> {
  const gone = createHashSet()
  let count = 0
  for await (const { source } of blobs.derived.list()) {
    if (sources.has(source) || !gone.add(source)) continue
    await blobs.derived.forget(source)
    count += 1
  }
  return count
}

// Texts that one transaction looks at. They go at some 30 MB a second: at twice, a write may wait twice as long.
const textsAtOnce = 200

/**
 * Forgets the texts of files that no version needs. They need no age as blobs do: whoever puts a version of a file that has a text puts the text with it,
 * in the same transaction. `step` as in `sweepBlobs`. Answers how many.
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

/** The jobs that look after all files of the service: remove what nothing needs, and read what is needed. */
export const fileMaintenance: ReadonlyMap<string, JobHandler> = new Map([
  ['blobs.sweep', { slots: 1, each: 1, run: sweep }],
  ['blobs.scrub', { slots: 1, each: 1, run: scrub }],
])

async function sweep(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  let done = 0
  const swept = await sweepBlobs(call.environment, () => {
    signal.throwIfAborted()
    progress({ done: (done += 1), total: 0, message: 'files that may not be needed' })
  })
  const texts = await sweepTexts(call, () => signal.throwIfAborted())
  const trimmed = await trimPictures(call, { step: () => signal.throwIfAborted() })
  return { ...swept, texts, ...trimmed }
}

/** What is missing or damaged is told in the log, and the first of it in the result. */
async function scrub(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  const findings = createFindings()
  const counts = { sound: 0, missing: 0, corrupt: 0, orphaned: 0 }
  let orphanedBytes = 0
  let done = 0
  for await (const { hash, state, isDerived, size } of lookAtBlobs(call.environment)) {
    signal.throwIfAborted()
    counts[state] += 1
    orphanedBytes += size ?? 0
    progress({ done: (done += 1), total: 0, message: 'files that were read' })
    if (state !== 'missing' && state !== 'corrupt') continue
    findings.add({ what: state, file: hash, isDerived })
    call.environment.log.write('error', `blob.${state}`, { hash, isDerived, requestId: call.requestId })
  }
  return { ...counts, orphanedBytes, findings: findings.stored }
}
