import { once } from '../assets/kept-bytes.ts'
import type { Call } from '../call/call.ts'
import type { MadePicture } from '../call/shared.ts'
import type { NamedPicture } from './wanted.ts'

/** Ms for which a picture that could not be kept is given from memory: a minute. At half, a full disk costs twice the work; at twice, room is noticed later. */
const unkeptFor = 60_000

/** Keeps a picture while it is already answered: it can be made again, so that nobody need wait until it is durable, or go without on a full disk. */
export async function keepPicture(call: Call, wanted: NamedPicture, made: MadePicture): Promise<void> {
  const { shared, environment } = call
  const { source, name, key, lost } = wanted
  try {
    // A blob that is there is not written again: a damaged one has to go first, unless somebody put it meanwhile.
    if (lost?.hash === made.hash) await environment.blobs.delete(lost.hash, lost.at)
    const blob = await environment.blobs.put(once(made.bytes))
    await environment.blobs.derived.keep({ source: source.hash, recipe: name, blob })
    shared.derived.set(key, blob)
    shared.unkept.delete(key)
  } catch (error) {
    shared.unkept.set(key, { ...made, until: environment.clock.now() + unkeptFor })
    const members = { source: source.hash, recipe: name, error: String(error) }
    environment.log.write('warn', 'rendition.not_kept', members)
  }
}
