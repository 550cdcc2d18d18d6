import {
  type DerivedBlob,
  type DerivedBlobs,
  isHash,
  isRecipe,
  requireHash,
  type StoredBlob,
} from '@quire/core/ports'
import { listObjects, putObject, removeObjects } from './bucket.ts'
import { derivedKey, derivedPrefix } from './keys.ts'
import { readSmall } from './object-reader.ts'
import type { Place } from './place.ts'
import { seal, unseal } from './sealed.ts'

/** What was made of which blob: one small object each. */
export function derivedBlobs(place: Place): DerivedBlobs {
  const { connection, keys } = place
  return {
    find: async (source, recipe) => readEntry(place, derivedKey(keys, source, recipe)),
    async keep({ source, recipe, blob }) {
      const key = derivedKey(keys, source, recipe)
      requireHash(blob.hash)
      await putObject(connection, key, seal(`${blob.hash} ${blob.size}`))
    },
    forget: async (source) => removeObjects(connection, keysOf(place, derivedPrefix(keys, source))),
    list: () => listEntries(place),
  }
}

const entryPattern = /^([0-9a-f]{64}) ([0-9]{1,16})$/

/** Null also when it is not whole: it can be made again. */
async function readEntry({ connection }: Place, key: string): Promise<StoredBlob | null> {
  const found = await readSmall(connection, key, (bytes) => unseal(bytes) !== null)
  const [, hash, size] = entryPattern.exec((found && unseal(found.bytes)) ?? '') ?? []
  return hash === undefined ? null : { hash, size: Number(size) }
}

async function* keysOf({ connection }: Place, prefix: string): AsyncGenerator<string> {
  for await (const { key } of listObjects(connection, prefix)) yield key
}

/** Entries asked for at a time: with one, a hundred thousand take half an hour at 20 ms each. */
const readAtOnce = 16

async function* listEntries(place: Place): AsyncGenerator<DerivedBlob> {
  let some: Named[] = []
  for await (const key of keysOf(place, place.keys.derived)) {
    const [source = '', recipe = ''] = key.slice(place.keys.derived.length).split('/')
    if (!isHash(source) || !isRecipe(recipe)) continue
    some.push({ key, source, recipe })
    if (some.length < readAtOnce) continue
    yield* await readEntries(place, some)
    some = []
  }
  yield* await readEntries(place, some)
}

interface Named {
  readonly key: string
  readonly source: string
  readonly recipe: string
}

async function readEntries(place: Place, named: readonly Named[]): Promise<readonly DerivedBlob[]> {
  const entries = named.map(async ({ key, source, recipe }) => {
    const blob = await readEntry(place, key)
    return blob && { source, recipe, blob }
  })
  return (await Promise.all(entries)).filter((entry) => entry !== null)
}
