import { QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { DerivedPicture, MadePicture } from '../call/shared.ts'
import type { StoredBlob } from '../ports/index.ts'
import { keepPicture } from './keep.ts'
import { makePicture } from './make.ts'
import { nameWanted, type NamedPicture, type WantedPicture } from './wanted.ts'

/**
 * A derived picture: as it was made before, or made now, once however many ask at the same time.
 * Errors: `not_found` where no picture can be made of the source; `unavailable` when too many are being made.
 */
export async function deriveRendition(call: Call, picture: WantedPicture): Promise<DerivedPicture> {
  const wanted = nameWanted(picture)
  const { key } = wanted
  const known = atHand(call, key)
  if (known) return known
  const kept = call.shared.derived.get(key)
  if (kept) return { ...kept, bytes: null }
  return call.shared.join(`rendition ${key}`, () => findOrMake(call, wanted))
}

/**
 * The bytes of a derived picture whose blob was lost or is damaged: made once more, and kept in its place.
 * Errors: as `deriveRendition`; `unavailable` when they are others than before, as after an update of the library, since their tag was already
 * answered: the next request gets them.
 */
export async function deriveAgain(call: Call, picture: WantedPicture, lost: StoredBlob): Promise<Uint8Array> {
  const wanted = nameWanted(picture)
  call.shared.derived.delete(wanted.key)
  const at = call.environment.clock.now()
  const { bytes, hash } = await makeAndKeep(call, { ...wanted, lost: { hash: lost.hash, at } })
  if (hash === lost.hash) return bytes
  throw new QuireError('unavailable', 'The picture was made anew: ask again.')
}

/** A picture whose bytes are in memory; undefined: there is none, or no more. */
function atHand({ shared, environment }: Call, key: string): MadePicture | undefined {
  const unkept = shared.unkept.get(key)
  return unkept && environment.clock.now() < unkept.until ? unkept : undefined
}

async function findOrMake(call: Call, wanted: NamedPicture): Promise<DerivedPicture> {
  const { blobs } = call.environment
  const found = await blobs.derived.find(wanted.source.hash, wanted.name)
  const isThere = found !== null && (await blobs.stat(found.hash)) !== null
  if (!isThere) return makeAndKeep(call, wanted)
  call.shared.derived.set(wanted.key, found)
  return { ...found, bytes: null }
}

/** Made once, also where some ask for what is lost and others for what they do not know yet. */
async function makeAndKeep(call: Call, wanted: NamedPicture): Promise<MadePicture> {
  const { key, name, source, lost } = wanted
  const present = atHand(call, key)
  if (present) return present
  return call.shared.join(`rendition made ${key}`, async () => {
    const { log } = call.environment
    if (lost) log.write('warn', 'rendition.lost', { source: source.hash, recipe: name, hash: lost.hash })
    const made = await makePicture(call, wanted)
    call.shared.unkept.set(key, { ...made, until: Number.POSITIVE_INFINITY })
    call.shared.afterwards(keepPicture(call, wanted, made))
    return made
  })
}
