import {
  type DerivedName,
  requireCount,
  requireHash,
  requirePartialId,
  requireRecipe,
} from '@quire/core/ports'

/** Names of objects in a bucket, all below one prefix. */
export interface Keys {
  /** `blobs/<hash>`: the blobs. */
  readonly blobs: string
  /** `notes/<hash>/<note>`: when a blob was put, and further facts about it. */
  readonly notes: string
  /** `derived/<source>/<recipe>`: blobs derived from a source. */
  readonly derived: string
  /** `partial/<id>` and `partial/<id>/<epoch>`: the manifests of an upload in progress. */
  readonly partial: string
  /** `pieces/<id>/<name>`: the pieces of an upload. */
  readonly pieces: string
  /** `temp/<name>`: temporary objects, which have no final name yet. */
  readonly temp: string
}

const prefixPattern = /^(?:[A-Za-z0-9._-]+\/)*$/

/**
 * The names below a prefix. Errors: TypeError for a prefix that does not end with `/` or that has
 * characters other than letters, digits, `.`, `_`, `-` and `/`.
 */
export function keysBelow(prefix: string): Keys {
  if (!prefixPattern.test(prefix))
    throw new TypeError(`${JSON.stringify(prefix)} is not a valid prefix: write it as "name/".`)
  const below = (name: string) => `${prefix}${name}/`
  return {
    blobs: below('blobs'),
    notes: below('notes'),
    derived: below('derived'),
    partial: below('partial'),
    pieces: below('pieces'),
    temp: below('temp'),
  }
}

/** The key of a blob. Errors: TypeError for an invalid hash. */
export function blobKey({ blobs }: Keys, hash: string): string {
  requireHash(hash)
  return blobs + hash
}

/** The prefix of the notes of a blob. Errors: TypeError for an invalid hash. */
export function notesPrefix({ notes }: Keys, hash: string): string {
  requireHash(hash)
  return `${notes}${hash}/`
}

/** The prefix of the blobs derived from a source. Errors: TypeError for an invalid hash. */
export function derivedPrefix({ derived }: Keys, source: string): string {
  requireHash(source)
  return `${derived}${source}/`
}

/** The key of a derived blob. Errors: TypeError for an invalid hash or recipe. */
export function derivedKey(keys: Keys, { source, recipe }: DerivedName): string {
  requireRecipe(recipe)
  return derivedPrefix(keys, source) + recipe
}

/**
 * The key of the manifest of a partial blob in its first epoch. Errors: TypeError for an invalid
 * id.
 */
export function partialKey({ partial }: Keys, id: string): string {
  requirePartialId(id)
  return partial + id
}

/**
 * The prefix of the manifests of later epochs, in the order of epochs. Errors: TypeError for an
 * invalid id.
 */
export function epochsPrefix(keys: Keys, id: string): string {
  return `${partialKey(keys, id)}/`
}

/**
 * Digits of an epoch, so that names sort in the order of epochs. Each new epoch takes at least 5 s
 * of silence.
 */
const epochDigits = 9

/** The key of the manifest of an epoch. Errors: TypeError for an invalid id or number. */
export function epochKey(keys: Keys, id: string, epoch: number): string {
  requireCount(epoch)
  return epoch === 0
    ? partialKey(keys, id)
    : epochsPrefix(keys, id) + String(epoch).padStart(epochDigits, '0')
}

/** The prefix of the pieces of a partial blob. Errors: TypeError for an invalid id. */
export function piecesPrefix({ pieces }: Keys, id: string): string {
  requirePartialId(id)
  return `${pieces}${id}/`
}
