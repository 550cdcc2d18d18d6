import { limits, QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { collect } from '../call/collect.ts'
import { openBlob } from '../assets/kept-bytes.ts'
import { MediaRefused, type Recipe, type StoredBlob } from '../ports/index.ts'
import type { WantedPicture } from './wanted.ts'

/**
 * The blob of a derived picture: as it was made before, or made now, once however many ask at the same time.
 * Errors: `not_found` where no picture can be made of the source; `unavailable` when too many are being made.
 */
export async function deriveRendition(call: Call, { source, recipe }: WantedPicture): Promise<StoredBlob> {
  const name = recipeName(recipe)
  const key = `${source.hash} ${name}`
  const known = call.shared.derived.get(key)
  if (known) return known
  const blob = await call.shared.join(`rendition ${key}`, () => findOrMake(call, { source, recipe, name }))
  call.shared.derived.set(key, blob)
  return blob
}

/** A recipe as one word: the same for the same pictures. */
export function recipeName({ width, height, fit, format, quality, focalPoint }: Recipe): string {
  const focus = focalPoint ? `_${focalPoint.x.toFixed(3)}-${focalPoint.y.toFixed(3)}` : ''
  return `${format}_${width ?? 'auto'}x${height ?? 'auto'}_${fit}_q${quality}${focus}`
}

async function findOrMake(
  call: Call,
  { source, recipe, name }: WantedPicture & { name: string },
): Promise<StoredBlob> {
  const { blobs } = call.environment
  const found = await blobs.derived.find(source.hash, name)
  if (found && (await blobs.stat(found.hash))) return found
  const blob = await make(call, { source, recipe })
  await blobs.derived.keep({ source: source.hash, recipe: name, blob })
  return blob
}

async function make(call: Call, { source, recipe }: WantedPicture): Promise<StoredBlob> {
  if (source.size > limits.renditionSource) throw noPicture('it is too large')
  const { blobs, media } = call.environment
  const bytes = await collect(await openBlob(call, source.hash))
  try {
    const made = await media.make(bytes, recipe)
    return await blobs.put(once(made.bytes))
  } catch (error) {
    throw error instanceof MediaRefused ? refusal(error) : error
  }
}

function refusal(error: MediaRefused): QuireError {
  if (error.kind === 'busy') return new QuireError('unavailable', undefined, { cause: error })
  return noPicture(error.message, error)
}

function noPicture(reason: string, cause?: Error): QuireError {
  return new QuireError('not_found', `No rendition can be made of this file: ${reason}`, { cause })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
