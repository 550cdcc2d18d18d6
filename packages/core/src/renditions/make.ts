import { limits, QuireError } from '@quire/contract'
import { wholeBlob } from '../assets/kept-bytes.ts'
import type { Call } from '../call/call.ts'
import { digestOf } from '../call/digest.ts'
import type { MadePicture } from '../call/shared.ts'
import { MediaRefused, type StoredBlob } from '../ports/index.ts'
import type { NamedPicture } from './wanted.ts'

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
