import { BlobCorrupt, type Blobs, type DerivedName } from '@quire/core/ports'

/**
 * Blobs that can be lost or damaged. A blob is identified by its hash, a derived file by its key.
 * `verify` then reports the damage.
 */
export interface DamageableBlobs {
  readonly blobs: Blobs
  lose(hash: string): void
  damage(hash: string): void
  /** How often each was read completely. */
  readonly verified: Map<string, number>
}

/** Identifies a derived file for `lose` and `damage`. */
export function derivedKey({ source, recipe }: DerivedName): string {
  return `${source} ${recipe}`
}

/**
 * Wraps blobs so that they can be damaged from outside. Storing or deleting an entry repairs it.
 */
export function damageable(sound: Blobs): DamageableBlobs {
  const lost = new Set<string>()
  const damaged = new Set<string>()
  const verified = new Map<string, number>()
  const repair = (hash: string) => {
    lost.delete(hash)
    damaged.delete(hash)
  }
  const blobs: Blobs = {
    ...sound,
    async put(bytes) {
      const blob = await sound.put(bytes)
      // Storing an existing blob only renews its age, so a damaged blob stays damaged until it is
      // deleted.
      lost.delete(blob.hash)
      return blob
    },
    stat: async (hash) => (lost.has(hash) ? null : sound.stat(hash)),
    async read(hash, range) {
      if (lost.has(hash)) return null
      if (damaged.has(hash)) throw new BlobCorrupt(hash)
      return sound.read(hash, range)
    },
    async verify(hash) {
      verified.set(hash, (verified.get(hash) ?? 0) + 1)
      if (lost.has(hash)) return 'missing'
      return damaged.has(hash) ? 'corrupt' : sound.verify(hash)
    },
    async delete(hash, writtenBefore) {
      await sound.delete(hash, writtenBefore)
      if ((await sound.stat(hash)) === null) repair(hash)
    },
    derived: {
      ...sound.derived,
      async retain(name, bytes) {
        repair(derivedKey(name))
        return sound.derived.retain(name, bytes)
      },
      async verify(name) {
        if (lost.has(derivedKey(name))) return 'missing'
        return damaged.has(derivedKey(name)) ? 'corrupt' : sound.derived.verify(name)
      },
    },
  }
  return {
    blobs,
    lose: (hash) => void lost.add(hash),
    damage: (hash) => void damaged.add(hash),
    verified,
  }
}
