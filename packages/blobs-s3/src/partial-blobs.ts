import {
  type Append,
  BlobsUnavailable,
  createAppendTurns,
  isPartialId,
  type PartialBlobs,
  requireCount,
} from '@quire/core/ports'
import { appendTo } from './append.ts'
import { listObjects, removeObject, removeObjects } from './bucket.ts'
import { finishPartial } from './finish-partial.ts'
import { partialKey, piecesPrefix } from './keys.ts'
import { findManifest, writeManifest } from './manifest.ts'
import { mostParts, smallestPart } from './multipart.ts'
import type { Place } from './place.ts'
import { createRunningHashes } from './running-hashes.ts'

/**
 * Blobs that are still coming: each of their pieces is an object, and another one says which of them count. Parts of S3 alone would not
 * do: nobody can read or shorten one, and an upload may go on before its end.
 */
export function partialBlobs(place: Place): PartialBlobs {
  const hashes = createRunningHashes()
  const turns = createAppendTurns()

  /** Ends appends that are under way, and removes all that came of the upload. */
  async function clear(id: string, anew: () => Promise<unknown>): Promise<void> {
    const prefix = piecesPrefix(place.keys, id)
    const turn = await turns.takeOver(id)
    try {
      const before = await namesBelow(place, prefix)
      await anew()
      hashes.forget(id)
      await removeObjects(place.connection, before)
    } finally {
      turn.leave()
    }
  }

  return {
    async begin(id, size) {
      requireCount(size)
      requireFits(size)
      await clear(id, () => writeManifest(place, id, []))
    },
    async append(id, append) {
      requireAppend(place, id, append)
      const turn = append.takesOver ? await turns.takeOver(id) : turns.enter(id)
      try {
        return await appendTo({ place, id, turn, hashes }, append)
      } finally {
        turn.leave()
      }
    },
    finish: (id, size) => finishPartial({ place, id }, hashes, size),
    discard: (id) => clear(id, () => removeObject(place.connection, partialKey(place.keys, id))),
    list: () => list(place),
  }
}

/** Errors: BlobsUnavailable `full` for more bytes than parts of the smallest size can hold. */
function requireFits(size: number): void {
  if (size <= mostParts * smallestPart) return
  throw new BlobsUnavailable(
    'full',
    `An upload of ${size} bytes is too large for a bucket: it may have 48 GiB.`,
  )
}

function requireAppend({ keys }: Place, id: string, { offset }: Append): void {
  requireCount(offset)
  partialKey(keys, id)
}

/** The names as they are now: what comes to be meanwhile stays. */
async function namesBelow({ connection }: Place, prefix: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { key } of listObjects(connection, prefix)) names.push(key)
  return names
}

async function* list(place: Place): ReturnType<PartialBlobs['list']> {
  const { connection, keys } = place
  for await (const { key } of listObjects(connection, keys.partial)) {
    const id = key.slice(keys.partial.length)
    const manifest = isPartialId(id) ? await findManifest(place, id) : null
    if (manifest) yield { id, size: manifest.size, writtenDate: manifest.writtenDate }
  }
}
