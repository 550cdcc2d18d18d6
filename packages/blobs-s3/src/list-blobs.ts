import { isHash, type BlobListing } from '@quire/core/ports'
import { listObjects } from './bucket.ts'
import { ageOf } from './notes.ts'
import type { Location } from './location.ts'

/**
 * Lists all blobs in the order of their hashes. Merges two listings of the store: of blobs, and of
 * the notes on when they were put.
 */
export async function* listBlobs({ connection, keys }: Location): AsyncGenerator<BlobListing> {
  const ages = agesOf({ connection, keys })
  let age = await ages.next()
  for await (const { key, size, writtenDate } of listObjects(connection, keys.blobs)) {
    const hash = key.slice(keys.blobs.length)
    if (!isHash(hash)) continue
    while (!age.done && age.value.hash < hash) age = await ages.next()
    const put = !age.done && age.value.hash === hash ? age.value.time : writtenDate
    yield { hash, size, writtenDate: put }
  }
}

interface Age {
  readonly hash: string
  readonly time: number
}

/** When each blob was last put, in the order of hashes. */
async function* agesOf({ connection, keys }: Pick<Location, 'connection' | 'keys'>): AsyncGenerator<Age> {
  let last: Age = { hash: '', time: 0 }
  for await (const { key } of listObjects(connection, keys.notes)) {
    const [hash = '', name = ''] = key.slice(keys.notes.length).split('/')
    const time = ageOf(name)
    if (time === null) continue
    if (last.hash !== '' && last.hash !== hash) yield last
    last = { hash, time: last.hash === hash ? Math.max(last.time, time) : time }
  }
  if (last.hash !== '') yield last
}
