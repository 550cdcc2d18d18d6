import { limits, QuireError } from '@quire/contract'
import { wholeBlob } from '../assets/stored-bytes.ts'
import type { Call } from '../../engine/call.ts'
import { digestOf } from '../../engine/digest.ts'
import type { MadePicture } from '../../engine/shared.ts'
import { MediaRefused, type StoredBlob } from '../../ports/index.ts'
import type { NamedPicture } from './picture-request.ts'
import { takeRoom } from './trim.ts'

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
