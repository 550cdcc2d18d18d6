import { QuireError } from '@quire/contract'
import { createFindings, type Findings } from '../assets/find.ts'
import { heldFiles, type HeldFile } from '../assets/held-files.ts'
import { createHashSet, type ItemState } from '../assets/hash-set.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { pause } from '../../engine/event-loop.ts'
import { type DerivedName, type Job, type JsonObject, imageFormats, type Recipe } from '../../ports/index.ts'
import { repositoryOfJob } from '../../content/repositories/record.ts'
import { storePicture, makePicture } from './derive.ts'
import { nameWanted } from './picture-request.ts'

/** The job that looks at the files of a repository and at the pictures that were made of them. */
export const assetSync: ReadonlyMap<string, JobHandler> = new Map([
  ['assets.sync', { slots: 1, each: 1, run: syncAssets }],
])

/**
 * Reads the file of every version of every asset and names those that are missing or damaged: content is never touched. Then reads every picture that was
 * made of them, and makes those anew that are missing or damaged. Begun again, it begins from the start and makes what is left.
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
  /** The files of the repository, and those of them that are sound. */
  readonly files: ItemState
  readonly sound: ItemState
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
    const scope = { item: head.id, version, package: head.packageId }
    findings.add({ what: state, file: hash, ...scope })
    log.write('error', `blob.${state}`, { hash, ...scope, requestId: call.requestId })
  }
  return state
}

/** What came of a picture that was missing or damaged. */
type Remade = 'remade' | 'unmade'

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

/** Null where nothing was wrong. */
async function lookAtPicture(sync: Sync, entry: DerivedName): Promise<Remade | null> {
  const { source, recipe } = entry
  const state = await sync.call.environment.blobs.derived.verify(entry)
  if (state === 'sound') return null
  const remade = sync.sound.has(source) && (await makeAgain(sync, entry)) ? 'remade' : 'unmade'
  sync.findings.add({ what: state, of: source, recipe, isRemade: remade === 'remade' })
  return remade
}

// While others have all the places of the media: so often, a second apart.
const tries = 5
const waitMs = 1000

/** Makes a picture once more and keeps it in its place. False where none can be made: of the file, for now, or by a recipe of an earlier version. */
async function makeAgain({ call, signal }: Sync, { source, recipe }: DerivedName): Promise<boolean> {
  const known = recipeNamed(recipe)
  const found = await call.environment.blobs.stat(source)
  if (!known || !found) return false
  const wanted = nameWanted({ source: found, recipe: known })
  call.shared.derived.delete(wanted.key)
  for (let left = tries; left > 0; left -= 1) {
    signal.throwIfAborted()
    try {
      await storePicture(call, wanted, await makePicture(call, wanted))
      return !call.shared.unkept.has(wanted.key)
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

/** The recipe that a derived picture is named by (see `nameWanted`); null for a name of another version. */
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
