import { limits, QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { collect } from '../call/collect.ts'
import { digestOf } from '../call/digest.ts'
import type { DerivedPicture } from '../call/shared.ts'
import { once, openBlob } from '../assets/kept-bytes.ts'
import { MediaRefused, type Recipe } from '../ports/index.ts'
import type { WantedPicture } from './wanted.ts'

/**
 * A derived picture: as it was made before, or made now, once however many ask at the same time.
 * Errors: `not_found` where no picture can be made of the source; `unavailable` when too many are being made.
 */
export async function deriveRendition(
  call: Call,
  { source, recipe }: WantedPicture,
): Promise<DerivedPicture> {
  const name = recipeName(recipe)
  const key = `${source.hash} ${name}`
  const known = call.shared.derived.get(key)
  return known ?? call.shared.join(`rendition ${key}`, () => findOrMake(call, { source, recipe, name, key }))
}

/** A recipe as one word: the same for the same pictures. */
export function recipeName({ width, height, fit, format, quality, focalPoint }: Recipe): string {
  const focus = focalPoint ? `_${focalPoint.x.toFixed(3)}-${focalPoint.y.toFixed(3)}` : ''
  return `${format}_${width ?? 'auto'}x${height ?? 'auto'}_${fit}_q${quality}${focus}`
}

interface Wanted extends WantedPicture {
  readonly name: string
  readonly key: string
}

async function findOrMake(call: Call, wanted: Wanted): Promise<DerivedPicture> {
  const { shared, environment } = call
  const { blobs } = environment
  const found = await blobs.derived.find(wanted.source.hash, wanted.name)
  const isThere = found !== null && (await blobs.stat(found.hash)) !== null
  const picture = isThere ? { ...found, bytes: null } : await make(call, wanted)
  shared.derived.set(wanted.key, picture)
  if (picture.bytes) shared.afterwards(keep(call, wanted, picture.bytes))
  return picture
}

async function make(call: Call, { source, recipe }: WantedPicture): Promise<DerivedPicture> {
  if (source.size > limits.renditionSource) throw noPicture('it is too large')
  const original = await collect(await openBlob(call, source.hash))
  try {
    const made = await call.environment.media.make(original, recipe)
    const bytes = new Uint8Array(made.bytes)
    return { hash: await digestOf(bytes), size: bytes.length, bytes }
  } catch (error) {
    throw error instanceof MediaRefused ? refusal(error) : error
  }
}

/** Keeps a picture while it is already answered: it can be made again, so that nobody need wait until it is durable, or go without on a full disk. */
async function keep(call: Call, { source, name, key }: Wanted, bytes: Uint8Array): Promise<void> {
  const { blobs, log } = call.environment
  try {
    const blob = await blobs.put(once(bytes))
    await blobs.derived.keep({ source: source.hash, recipe: name, blob })
    call.shared.derived.set(key, { ...blob, bytes: null })
  } catch (error) {
    call.shared.derived.delete(key)
    log.write('warn', 'rendition.not_kept', { source: source.hash, recipe: name, error: String(error) })
  }
}

function refusal(error: MediaRefused): QuireError {
  if (error.kind === 'busy') return new QuireError('unavailable', undefined, { cause: error })
  return noPicture(error.message, error)
}

function noPicture(reason: string, cause?: Error): QuireError {
  return new QuireError('not_found', `No rendition can be made of this file: ${reason}`, { cause })
}
