import {
  type Append,
  BlobsUnavailable,
  createAppendSlots,
  isPartialId,
  type PartialBlobs,
  requireCount,
} from '@quire/core/ports'
import { appendTo } from './append.ts'
import { listObjects, removeObject, removeObjects } from './bucket.ts'
import { finishPartial } from './finish-partial.ts'
import { partialKey, piecesPrefix, epochsPrefix } from './keys.ts'
import { findManifest, type Epoch, writeManifest } from './manifest.ts'
import { mostParts, smallestPart } from './multipart.ts'
import type { Location } from './location.ts'
import { createRunningHashes } from './running-hashes.ts'
import { folderOf } from './stored-parts.ts'

/**
 * Uploads in progress. Each piece is an object, and a manifest names the pieces that count. S3's
 * own multipart uploads would not do: their parts cannot be read or shortened, and an upload may
 * resume before its end.
 */
export function partialBlobs(location: Location): PartialBlobs {
  const hashes = createRunningHashes()
  const epochs = createAppendSlots()

  /** Ends running appends, and removes everything that was stored for the upload. */
  async function clear(id: string, anew: () => Promise<unknown>): Promise<void> {
    const prefix = piecesPrefix(location.keys, id)
    const slot = await epochs.takeOver(id)
    try {
      const epochsBefore = await namesBelow(location, epochsPrefix(location.keys, id))
      const before = [...epochsBefore, ...(await namesBelow(location, prefix))]
      await anew()
      hashes.forget(id)
      await removeObjects(location.connection, before)
    } finally {
      slot.leave()
    }
  }

  return {
    async begin(id, size) {
      requireCount(size)
      requireFits(size)
      await clear(id, () => writeManifest({ location, id, number: 0 }, []))
    },
    async append(id, append) {
      requireAppend(location, id, append)
      const slot = append.takesOver ? await epochs.takeOver(id) : epochs.enter(id)
      try {
        return await appendTo({ ...folderOf(location, id), id, slot, hashes }, append)
      } finally {
        slot.leave()
      }
    },
    finish: (id, size, slot = 0) => finishPartial({ location, id, number: slot }, hashes, size),
    discard: (id) => clear(id, () => removeObject(location.connection, partialKey(location.keys, id))),
    list: () => list(location),
  }
}

/**
 * Errors: BlobsUnavailable `full` for more bytes than the most parts of the smallest size can hold.
 */
function requireFits(size: number): void {
  if (size <= mostParts * smallestPart) return
  throw new BlobsUnavailable(
    'full',
    `An upload of ${size} bytes is too large for a bucket: the limit is 48 GiB.`,
  )
}

function requireAppend({ keys }: Location, id: string, { offset }: Append): void {
  requireCount(offset)
  partialKey(keys, id)
}

/** The names at this time. Objects that are added meanwhile are not included. */
async function namesBelow({ connection }: Location, prefix: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { key } of listObjects(connection, prefix)) names.push(key)
  return names
}

async function* list(location: Location): ReturnType<PartialBlobs['list']> {
  for await (const last of lastEpochs(location)) {
    const manifest = await findManifest(last)
    if (manifest) yield { id: last.id, size: manifest.size, writtenDate: manifest.writtenDate }
  }
}

/** The last epoch of every partial blob. The order of names is that of ids and epochs. */
async function* lastEpochs(location: Location): AsyncGenerator<Epoch> {
  let last: Epoch | null = null
  for await (const { key } of listObjects(location.connection, location.keys.partial)) {
    const [id = '', number = '0'] = key.slice(location.keys.partial.length).split('/')
    if (!isPartialId(id)) continue
    if (last && last.id !== id) yield last
    last = { location, id, number: Number(number) }
  }
  if (last) yield last
}
