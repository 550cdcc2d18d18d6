import { createHash } from 'node:crypto'
import { type DerivedBlob, type DerivedBlobs, type DerivedName, isHash, isRecipe } from '@quire/core/ports'
import { headObject, listObjects, putNamed, removeObject, removeObjects } from './bucket.ts'
import { derivedKey, derivedPrefix } from './keys.ts'
import type { Location } from './location.ts'
import { readObject, verifyObject } from './read-blob.ts'

/**
 * Derived blobs: one object each, with its hash as metadata. Recording a use would require a copy
 * of the object, so the date of use is the date of storing.
 */
export function derivedBlobs(location: Location): DerivedBlobs {
  const { connection, keys } = location
  return {
    find: (name) => findDerived(location, name),
    async retain(name, bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      await putNamed(connection, { key: derivedKey(keys, name), given: hash }, bytes)
      return { hash, size: bytes.length }
    },
    read: async ({ hash, ...name }, range, signal) =>
      readObject(location, { key: derivedKey(keys, name), hash }, { range, signal }),
    async verify(name) {
      const found = await findDerived(location, name)
      return found ? verifyObject(location, { key: derivedKey(keys, name), hash: found.hash }) : 'missing'
    },
    async use(name) {
      derivedKey(keys, name)
    },
    remove: async (name) => removeObject(connection, derivedKey(keys, name)),
    forget: async (source) => removeObjects(connection, keysOf(location, derivedPrefix(keys, source))),
    list: () => listDerived(location),
  }
}

/** Also null for an object without a hash: an earlier version stored other data there. */
async function findDerived(
  { connection, keys }: Location,
  { source, recipe }: DerivedName,
): Promise<DerivedBlob | null> {
  const found = await headObject(connection, derivedKey(keys, { source, recipe }))
  if (!found || found.given === null || !isHash(found.given)) return null
  return { source, recipe, hash: found.given, size: found.size, usedDate: found.writtenDate }
}

async function* keysOf({ connection }: Location, prefix: string): AsyncGenerator<string> {
  for await (const { key } of listObjects(connection, prefix)) yield key
}

async function* listDerived({ connection, keys }: Location): AsyncGenerator<Omit<DerivedBlob, 'hash'>> {
  for await (const { key, size, writtenDate } of listObjects(connection, keys.derived)) {
    const [source = '', recipe = ''] = key.slice(keys.derived.length).split('/')
    if (isHash(source) && isRecipe(recipe)) yield { source, recipe, size, usedDate: writtenDate }
  }
}
