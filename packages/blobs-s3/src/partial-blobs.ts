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
import { partialKey, piecesPrefix, turnsPrefix } from './keys.ts'
import { findManifest, type Turn, writeManifest } from './manifest.ts'
import { mostParts, smallestPart } from './multipart.ts'
import type { Place } from './place.ts'
import { createRunningHashes } from './running-hashes.ts'
import { folderOf } from './stored-pieces.ts'

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
      const turnsBefore = await namesBelow(place, turnsPrefix(place.keys, id))
      const before = [...turnsBefore, ...(await namesBelow(place, prefix))]
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
      await clear(id, () => writeManifest({ place, id, number: 0 }, []))
    },
    async append(id, append) {
      requireAppend(place, id, append)
      const turn = append.takesOver ? await turns.takeOver(id) : turns.enter(id)
      try {
        return await appendTo({ ...folderOf(place, id), id, turn, hashes }, append)
      } finally {
        turn.leave()
      }
    },
    finish: (id, size, turn = 0) => finishPartial({ place, id, number: turn }, hashes, size),
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
  for await (const last of lastTurns(place)) {
    const manifest = await findManifest(last)
    if (manifest) yield { id: last.id, size: manifest.size, writtenDate: manifest.writtenDate }
  }
}

/** The last turn of every partial blob: the order of names is that of ids and turns. */
async function* lastTurns(place: Place): AsyncGenerator<Turn> {
  let last: Turn | null = null
  for await (const { key } of listObjects(place.connection, place.keys.partial)) {
    const [id = '', number = '0'] = key.slice(place.keys.partial.length).split('/')
    if (!isPartialId(id)) continue
    if (last && last.id !== id) yield last
    last = { place, id, number: Number(number) }
  }
  if (last) yield last
}
