import { QuireError, limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { inPieces } from '../../engine/paging.ts'
import type { DerivedPicture, KnownPicture, MadePicture } from '../../engine/shared.ts'
import { namePicture, type NamedPicture, type PictureRequest } from './picture-request.ts'
import { wholeBlob } from '../assets/stored-bytes.ts'
import { digestOf } from '../../engine/digest.ts'
import { takeRoom } from './trim.ts'
import {
  type ByteRange,
  type Bytes,
  type DerivedName,
  type StoredBlob,
  BlobCorrupt,
  MediaRefused,
} from '../../ports/index.ts'

/**
 * A derived rendition: a stored one, or made now, only once for any number of concurrent callers.
 * Errors: `not_found` when no image can be made from the source; `unavailable` when too many are
 * being made.
 */
export async function deriveRendition(call: Call, picture: PictureRequest): Promise<DerivedPicture> {
  const wanted = namePicture(picture)
  const { key } = wanted
  const known = unstoredPicture(call, key)
  if (known) return known
  const stored = call.shared.derived.get(key)
  if (!stored) return call.shared.join(`rendition ${key}`, () => findOrMake(call, wanted))
  reportUse(call, wanted, stored)
  return { hash: stored.hash, size: stored.size, bytes: null }
}

/** A derived rendition that was made already; null otherwise. Does not make one. */
export async function madePicture(call: Call, picture: PictureRequest): Promise<StoredBlob | null> {
  const wanted = namePicture(picture)
  const known = unstoredPicture(call, wanted.key) ?? call.shared.derived.peek(wanted.key)
  return known ?? call.environment.blobs.derived.find(derivedName(wanted))
}

/** Which bytes of a rendition to read. */
interface PictureRead {
  readonly picture: DerivedPicture
  readonly range?: ByteRange | undefined
}

/**
 * The bytes of a rendition: from memory until it is stored, and made again when the stored one is
 * lost or damaged. Errors: those of `deriveAgain`.
 */
export async function openDerived(
  call: Call,
  wanted: PictureRequest,
  { picture, range }: PictureRead,
): Promise<Bytes> {
  if (picture.bytes) return copyOf(picture.bytes, range)
  const stored = await readDerived(call, wanted, { picture, range })
  return stored ?? copyOf(await deriveAgain(call, wanted, picture), range)
}

/** Other callers use the same bytes in memory, so each gets copies. */
function copyOf(bytes: Uint8Array, range?: ByteRange): Bytes {
  return inPieces(range ? bytes.subarray(range.start, range.end + 1) : bytes)
}

/**
 * The bytes of a stored rendition; null when it is missing, or found damaged or too short before
 * its first byte is returned.
 */
async function readDerived(
  call: Call,
  wanted: PictureRequest,
  { picture, range }: PictureRead,
): Promise<Bytes | null> {
  try {
    const name = { ...derivedName(namePicture(wanted)), hash: picture.hash }
    return await call.environment.blobs.derived.read(name, range, call.signal)
  } catch (error) {
    if (error instanceof BlobCorrupt || error instanceof RangeError) return null
    throw error
  }
}

/**
 * Makes a rendition again that was lost, damaged or removed to free space, and stores it. Errors:
 * those of `deriveRendition`; `unavailable` when the new bytes differ, for example after an update
 * of the library, because the old tag was already sent. The next request gets the new bytes.
 */
async function deriveAgain(call: Call, picture: PictureRequest, lost: StoredBlob): Promise<Uint8Array> {
  const wanted = namePicture(picture)
  call.shared.derived.delete(wanted.key)
  const { bytes, hash } = await makeAndStore(call, wanted, lost)
  if (hash === lost.hash) return bytes
  throw new QuireError('unavailable', 'The rendition was made again with other bytes: repeat the request.')
}

/** A rendition whose bytes are still in memory; undefined when there is none. */
function unstoredPicture({ shared, environment }: Call, key: string): MadePicture | undefined {
  const unstored = shared.unstored.get(key)
  return unstored && environment.clock.now() < unstored.until ? unstored : undefined
}

function derivedName({ source, name }: NamedPicture): DerivedName {
  return { source: source.hash, recipe: name }
}

async function findOrMake(call: Call, wanted: NamedPicture): Promise<DerivedPicture> {
  const found = await call.environment.blobs.derived.find(derivedName(wanted))
  if (!found) return makeAndStore(call, wanted)
  const { hash, size, usedDate } = found
  const known = { hash, size, usedDate, reportedDate: usedDate }
  call.shared.derived.set(wanted.key, known)
  reportUse(call, wanted, known)
  return { hash, size, bytes: null }
}

/**
 * Ms between reports to the storage that a rendition is in use: a day. At half, uses are reported
 * twice as often; at twice, a rendition that is requested daily may be removed after two days.
 */
const reportedFor = 24 * 60 * 60_000

/**
 * Records the use of a rendition, so that others are removed first. If the storage cannot record
 * it, the rendition may at most have to be made again.
 */
function reportUse(call: Call, wanted: NamedPicture, known: KnownPicture): void {
  const { clock, blobs, log } = call.environment
  known.usedDate = clock.now()
  if (known.usedDate - known.reportedDate < reportedFor) return
  known.reportedDate = known.usedDate
  const name = derivedName(wanted)
  const failed = (error: unknown) =>
    log.write('warn', 'rendition.use_not_told', { ...name, error: String(error) })
  call.shared.afterwards(blobs.derived.use(name).catch(failed))
}

/** Makes a rendition only once, whether callers request a lost one or a new one. */
async function makeAndStore(call: Call, wanted: NamedPicture, lost?: StoredBlob): Promise<MadePicture> {
  const { key, name, source } = wanted
  const existing = unstoredPicture(call, key)
  if (existing) return existing
  return call.shared.join(`rendition made ${key}`, async () => {
    const { log } = call.environment
    if (lost) log.write('info', 'rendition.lost', { source: source.hash, recipe: name, hash: lost.hash })
    const made = await makePicture(call, wanted)
    call.shared.unstored.set(key, { ...made, until: Number.POSITIVE_INFINITY })
    call.shared.afterwards(storePicture(call, wanted, made))
    return made
  })
}

/**
 * Ms before a rendition that could not be made is tried again: 5 minutes. At twice, a raised limit
 * takes effect later; at half, a rendition that takes too long costs twice the time.
 */
const refusedFor = 5 * 60_000

/**
 * Makes a rendition. Errors: `not_found` when none can be made from the source, or a recent try
 * failed; `unavailable` when too many are being made.
 */
export async function makePicture(call: Call, { source, recipe, key }: NamedPicture): Promise<MadePicture> {
  requireMakeable(call, source, key)
  try {
    const made = await call.environment.media.make(() => wholeBlob(call, source), recipe)
    const bytes = new Uint8Array(made.bytes)
    return { hash: await digestOf(bytes), size: bytes.length, bytes }
  } catch (error) {
    throw error instanceof MediaRefused ? refusal(call, key, error) : error
  }
}

function requireMakeable({ shared, environment }: Call, source: StoredBlob, key: string): void {
  if (source.size > limits.renditionSource) throw noPicture('it is too large')
  const refused = shared.refused.get(key)
  if (refused && environment.clock.now() < refused.until) throw noPicture(refused.reason)
}

function refusal({ shared, environment }: Call, key: string, error: MediaRefused): QuireError {
  if (error.kind === 'busy') return new QuireError('unavailable', undefined, { cause: error })
  shared.refused.set(key, { reason: error.message, until: environment.clock.now() + refusedFor })
  return noPicture(error.message, error)
}

function noPicture(reason: string, cause?: Error): QuireError {
  return new QuireError('not_found', `No rendition can be made of this file: ${reason}`, { cause })
}

/**
 * Ms for which a rendition that could not be stored is served from memory: a minute. At half, a
 * full disk costs twice the work; at twice, new space is noticed later.
 */
const unstoredFor = 60_000

/**
 * Stores a rendition while it is already being sent. It can be made again, so nobody has to wait
 * until it is durable. It is also sent when the disk is full or there is no space for renditions.
 */
export async function storePicture(call: Call, wanted: NamedPicture, made: MadePicture): Promise<void> {
  const { shared, environment } = call
  const { source, name, key } = wanted
  const serveFromMemory = () =>
    shared.unstored.set(key, { ...made, until: environment.clock.now() + unstoredFor })
  const derivedBlob = { source: source.hash, recipe: name }
  try {
    const ended = await takeRoom(call, made.size)
    if (!ended) return void serveFromMemory()
    const now = environment.clock.now()
    let isStored = false
    try {
      const { hash, size } = await environment.blobs.derived.retain(derivedBlob, made.bytes)
      isStored = true
      shared.derived.set(key, { hash, size, usedDate: now, reportedDate: now })
      shared.unstored.delete(key)
    } finally {
      ended(isStored)
    }
  } catch (error) {
    serveFromMemory()
    environment.log.write('warn', 'rendition.not_kept', { ...derivedBlob, error: String(error) })
  }
}
