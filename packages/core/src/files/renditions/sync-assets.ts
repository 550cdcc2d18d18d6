import { QuireError } from '@quire/contract'
import { createFindings, type Findings } from '../assets/find.ts'
import { heldFiles, type HeldFile } from '../assets/held-files.ts'
import { createHashSet, type HashSet } from '../assets/hash-set.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { pause } from '../../engine/event-loop.ts'
import { type DerivedName, type Job, type JsonObject, imageFormats, type Recipe } from '../../ports/index.ts'
import { repositoryOfJob } from '../../content/repositories/record.ts'
import { storePicture, makePicture } from './derive.ts'
import { namePicture } from './picture-request.ts'

/** The job that checks the files of a repository and the renditions derived from them. */
export const assetSync: ReadonlyMap<string, JobHandler> = new Map([
  ['assets.sync', { slots: 1, each: 1, run: syncAssets }],
])

/**
 * Reads the file of every version of every asset and reports those that are missing or damaged;
 * content is never changed. Then reads every rendition derived from them, and makes missing or
 * damaged ones again. A restarted job begins from the start, and makes only the remaining ones.
 */
async function syncAssets(job: Job, context: JobContext): Promise<JsonObject> {
  const { id: repositoryId } = await repositoryOfJob(context.call, job)
  const sync: Sync = {
    ...context,
    files: createHashSet(),
    sound: createHashSet(),
    findings: createFindings(),
  }
  const files = await lookAtFiles(sync, repositoryId)
  const pictures = await lookAtPictures(sync)
  return { ...files, ...pictures, findings: sync.findings.stored }
}

interface Sync extends JobContext {
  /** All files of the repository. */
  readonly files: HashSet
  /** The files that are sound. */
  readonly sound: HashSet
  readonly findings: Findings
}

async function lookAtFiles(sync: Sync, repositoryId: string) {
  const { call, signal, progress, files } = sync
  const counts = { files: 0, missing: 0, corrupt: 0 }
  for await (const held of heldFiles(call, repositoryId)) {
    for (const hash of [held.asset.hash, ...held.asset.renditions.map((made) => made.hash)]) {
      signal.throwIfAborted()
      if (!files.add(hash)) continue
      const state = await lookAtFile(sync, held, hash)
      counts.files += 1
      if (state !== 'sound') counts[state] += 1
      progress({ done: counts.files, total: 0, message: 'files' })
    }
  }
  return counts
}

async function lookAtFile(
  { call, sound, findings }: Sync,
  { head, version }: HeldFile,
  hash: string,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const { blobs, log } = call.environment
  const state = await blobs.verify(hash)
  if (state === 'sound') sound.add(hash)
  else {
    const location = { item: head.id, version, package: head.packageId }
    findings.add({ what: state, file: hash, ...location })
    log.write('error', `blob.${state}`, { hash, ...location, requestId: call.requestId })
  }
  return state
}

/** What happened to a rendition that was missing or damaged. */
type RepairOutcome = 'remade' | 'unmade'

async function lookAtPictures(sync: Sync) {
  const { call, signal, progress, files } = sync
  const counts = { pictures: 0, remade: 0, unmade: 0 }
  for await (const entry of call.environment.blobs.derived.list()) {
    signal.throwIfAborted()
    if (!files.has(entry.source)) continue
    const remade = await lookAtPicture(sync, entry)
    counts.pictures += 1
    if (remade) counts[remade] += 1
    progress({ done: counts.pictures, total: 0, message: 'pictures' })
  }
  return counts
}

/** Null when nothing was wrong. */
async function lookAtPicture(sync: Sync, entry: DerivedName): Promise<RepairOutcome | null> {
  const { source, recipe } = entry
  const state = await sync.call.environment.blobs.derived.verify(entry)
  if (state === 'sound') return null
  const remade = sync.sound.has(source) && (await makeAgain(sync, entry)) ? 'remade' : 'unmade'
  sync.findings.add({ what: state, of: source, recipe, isRemade: remade === 'remade' })
  return remade
}

// Number of tries, one second apart, while other work has all slots of the media port.
const tries = 5
const waitMs = 1000

/**
 * Makes a rendition again and stores it. Returns false when that is not possible: because of the
 * file, temporarily, or because the recipe is from an earlier version.
 */
async function makeAgain({ call, signal }: Sync, { source, recipe }: DerivedName): Promise<boolean> {
  const known = recipeNamed(recipe)
  const found = await call.environment.blobs.stat(source)
  if (!known || !found) return false
  const wanted = namePicture({ source: found, recipe: known })
  call.shared.derived.delete(wanted.key)
  for (let left = tries; left > 0; left -= 1) {
    signal.throwIfAborted()
    try {
      await storePicture(call, wanted, await makePicture(call, wanted))
      return !call.shared.unstored.has(wanted.key)
    } catch (error) {
      if (!(error instanceof QuireError)) throw error
      if (error.code !== 'unavailable') return false
      await pause(waitMs, signal)
    }
  }
  return false
}

const pattern =
  /^(?<format>[a-z]+)_(?<width>auto|[0-9]+)x(?<height>auto|[0-9]+)_(?<fit>[a-z]+)_q(?<quality>[0-9]+)(?:_(?<x>[01]\.[0-9]{3})-(?<y>[01]\.[0-9]{3}))?$/

const fits: readonly Recipe['fit'][] = ['inside', 'cover', 'contain']

/** The recipe with this name (see `namePicture`); null for a name from another version. */
export function recipeNamed(name: string): Recipe | null {
  const { format, width, height, fit, quality, x, y } = pattern.exec(name)?.groups ?? {}
  const known = imageFormats.find((one) => one === format)
  const fitting = fits.find((one) => one === fit)
  if (!known || !fitting) return null
  return {
    width: sideOf(width),
    height: sideOf(height),
    fit: fitting,
    format: known,
    quality: Number(quality),
    focalPoint: x === undefined || y === undefined ? null : { x: Number(x), y: Number(y) },
  }
}

function sideOf(side: string | undefined): number | null {
  return side === undefined || side === 'auto' ? null : Number(side)
}
