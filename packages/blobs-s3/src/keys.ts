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
  /** `notes/<hash>/<note>`: when a blob was put, and what else is known of it. */
  readonly notes: string
  /** `derived/<source>/<recipe>`: what was made of which blob. */
  readonly derived: string
  /** `partial/<id>` and `partial/<id>/<turn>`: which pieces a blob that is still coming has. */
  readonly partial: string
  /** `pieces/<id>/<name>`: those pieces. */
  readonly pieces: string
  /** `temp/<name>`: what has no name of its own yet. */
  readonly temp: string
}

const prefixPattern = /^(?:[A-Za-z0-9._-]+\/)*$/

/** The names below a prefix. Errors: TypeError for a prefix that does not end with `/` or has other characters than names of files. */
export function keysBelow(prefix: string): Keys {
  if (!prefixPattern.test(prefix))
    throw new TypeError(`${JSON.stringify(prefix)} is no prefix: write it as "name/".`)
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

/** Where a blob is. Errors: TypeError for what is no hash. */
export function blobKey({ blobs }: Keys, hash: string): string {
  requireHash(hash)
  return blobs + hash
}

/** Where the notes of a blob are. Errors: TypeError for what is no hash. */
export function notesPrefix({ notes }: Keys, hash: string): string {
  requireHash(hash)
  return `${notes}${hash}/`
}

/** Where what was made of a blob is. Errors: TypeError for what is no hash. */
export function derivedPrefix({ derived }: Keys, source: string): string {
  requireHash(source)
  return `${derived}${source}/`
}

/** Where one thing that was made of a blob is. Errors: TypeError for what is no hash or no recipe. */
export function derivedKey(keys: Keys, { source, recipe }: DerivedName): string {
  requireRecipe(recipe)
  return derivedPrefix(keys, source) + recipe
}

/** Where the list of pieces of a partial blob is in its first turn. Errors: TypeError for what is no id of one. */
export function partialKey({ partial }: Keys, id: string): string {
  requirePartialId(id)
  return partial + id
}

/** Where the lists of the turns after it are, in the order of turns. Errors: TypeError for what is no id of one. */
export function epochsPrefix(keys: Keys, id: string): string {
  return `${partialKey(keys, id)}/`
}

/** Digits of a turn, so that the order of names is that of turns. Each takes 5 s of silence at least. */
const epochDigits = 9

/** Where the list of a turn is. Errors: TypeError for what is no id or no number of a turn. */
export function epochKey(keys: Keys, id: string, epoch: number): string {
  requireCount(epoch)
  return epoch === 0
    ? partialKey(keys, id)
    : epochsPrefix(keys, id) + String(epoch).padStart(epochDigits, '0')
}

/** Where the pieces of a partial blob are. Errors: TypeError for what is no id of one. */
export function piecesPrefix({ pieces }: Keys, id: string): string {
  requirePartialId(id)
  return `${pieces}${id}/`
}
