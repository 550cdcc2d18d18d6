import { QuireError, limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { inPieces } from '../../engine/paging.ts'
import type { DerivedPicture, KnownPicture, MadePicture } from '../../engine/shared.ts'
import { nameWanted, type NamedPicture, type PictureRequest } from './picture-request.ts'
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
 * A derived picture: as it was made before, or made now, once however many ask at the same time.
 * Errors: `not_found` where no picture can be made of the source; `unavailable` when too many are being made.
 */
export async function deriveRendition(call: Call, picture: PictureRequest): Promise<DerivedPicture> {
  const wanted = nameWanted(picture)
  const { key } = wanted
  const known = atHand(call, key)
  if (known) return known
  const stored = call.shared.derived.get(key)
  if (!stored) return call.shared.join(`rendition ${key}`, () => findOrMake(call, wanted))
  reportUse(call, wanted, stored)
  return { hash: stored.hash, size: stored.size, bytes: null }
}

/** A derived picture that was made already; null: it was not. Makes none. */
export async function madePicture(call: Call, picture: PictureRequest): Promise<StoredBlob | null> {
  const wanted = nameWanted(picture)
  const known = atHand(call, wanted.key) ?? call.shared.derived.peek(wanted.key)
  return known ?? call.environment.blobs.derived.find(derivedName(wanted))
}

/** What of a derived picture is read. */
interface PictureRead {
  readonly picture: DerivedPicture
  readonly range?: ByteRange | undefined
}

/** The bytes of a derived picture: from memory until it is kept, and made again where what was kept is lost or damaged. Errors: as `deriveAgain`. */
export async function openDerived(
  call: Call,
  wanted: PictureRequest,
  { picture, range }: PictureRead,
): Promise<Bytes> {
  if (picture.bytes) return copyOf(picture.bytes, range)
  const stored = await readDerived(call, wanted, { picture, range })
  return stored ?? copyOf(await deriveAgain(call, wanted, picture), range)
}

/** A picture in memory is others' too: they get the same one, as copies. */
function copyOf(bytes: Uint8Array, range?: ByteRange): Bytes {
  return inPieces(range ? bytes.subarray(range.start, range.end + 1) : bytes)
}

/** The bytes of a derived picture that is kept; null when it is missing, or found damaged or too short before the first of them is given. */
async function readDerived(
  call: Call,
  wanted: PictureRequest,
  { picture, range }: PictureRead,
): Promise<Bytes | null> {
  try {
    const name = { ...derivedName(nameWanted(wanted)), hash: picture.hash }
    return await call.environment.blobs.derived.read(name, range, call.signal)
  } catch (error) {
    if (error instanceof BlobCorrupt || error instanceof RangeError) return null
    throw error
  }
}

/**
 * The bytes of a derived picture that was lost, is damaged or had to make room: made once more, and kept in its place.
 * Errors: as `deriveRendition`; `unavailable` when they are others than before, as after an update of the library, since their tag was already
 * answered: the next request gets them.
 */
async function deriveAgain(call: Call, picture: PictureRequest, lost: StoredBlob): Promise<Uint8Array> {
  const wanted = nameWanted(picture)
  call.shared.derived.delete(wanted.key)
  const { bytes, hash } = await makeAndStore(call, wanted, lost)
  if (hash === lost.hash) return bytes
  throw new QuireError('unavailable', 'The picture was made anew: ask again.')
}

/** A picture whose bytes are in memory; undefined: there is none, or no more. */
function atHand({ shared, environment }: Call, key: string): MadePicture | undefined {
  const unkept = shared.unkept.get(key)
  return unkept && environment.clock.now() < unkept.until ? unkept : undefined
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

/** Ms for which the storage knows that a picture is used: a day. At half, pictures in use are told of twice as often; at twice, one that is asked for daily may go after two. */
const reportedFor = 24 * 60 * 60_000

/** Notes that a picture is used, so that others make room first. That the storage could not be told costs making it again at most. */
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

/** Made once, also where some ask for what is lost and others for what they do not know yet. */
async function makeAndStore(call: Call, wanted: NamedPicture, lost?: StoredBlob): Promise<MadePicture> {
  const { key, name, source } = wanted
  const existing = atHand(call, key)
  if (existing) return existing
  return call.shared.join(`rendition made ${key}`, async () => {
    const { log } = call.environment
    if (lost) log.write('info', 'rendition.lost', { source: source.hash, recipe: name, hash: lost.hash })
    const made = await makePicture(call, wanted)
    call.shared.unkept.set(key, { ...made, until: Number.POSITIVE_INFINITY })
    call.shared.afterwards(storePicture(call, wanted, made))
    return made
  })
}

/** Ms for which a picture that could not be made is not tried again: 5 minutes. At twice, a larger limit is noticed later; at half, a picture that takes too long takes twice the time. */
const refusedFor = 5 * 60_000

/** Makes a picture. Errors: `not_found` where none can be made of the source, or none could lately; `unavailable` when too many are being made. */
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

/** Ms for which a picture that could not be kept is given from memory: a minute. At half, a full disk costs twice the work; at twice, room is noticed later. */
const unkeptFor = 60_000

/**
 * Keeps a picture while it is already answered: it can be made again, so that nobody need wait until it is durable, or go without on a full disk, or
 * where pictures have no room left.
 */
export async function storePicture(call: Call, wanted: NamedPicture, made: MadePicture): Promise<void> {
  const { shared, environment } = call
  const { source, name, key } = wanted
  const unkept = () => shared.unkept.set(key, { ...made, until: environment.clock.now() + unkeptFor })
  const reported = { source: source.hash, recipe: name }
  try {
    const ended = await takeRoom(call, made.size)
    if (!ended) return void unkept()
    const now = environment.clock.now()
    let isStored = false
    try {
      const { hash, size } = await environment.blobs.derived.retain(reported, made.bytes)
      isStored = true
      shared.derived.set(key, { hash, size, usedDate: now, reportedDate: now })
      shared.unkept.delete(key)
    } finally {
      ended(isStored)
    }
  } catch (error) {
    unkept()
    environment.log.write('warn', 'rendition.not_kept', { ...reported, error: String(error) })
  }
}
