import { join } from 'node:path'
import { type DerivedName, requireHash, requirePartialId, requireRecipe } from '@quire/core/ports'

/** The folders below the root. */
export interface Paths {
  readonly root: string
  /** `<ab>/<cd>/<hash>`: the blobs. */
  readonly blobs: string
  /** `<ab>/<source>/<recipe>`: files derived from blobs. */
  readonly derived: string
  /** `<id>`: uploads in progress. */
  readonly partial: string
  /** Temporary files, which have no final name yet. */
  readonly temp: string
}

/**
 * Modes of all created files and folders. Binaries may be private, so only the account of the
 * server can read them.
 */
export const fileMode = 0o600
export const folderMode = 0o700

/** The folders below a root. */
export function pathsOf(root: string): Paths {
  const below = (name: string) => join(root, name)
  return {
    root,
    blobs: below('blobs'),
    derived: below('derived'),
    partial: below('partial'),
    temp: below('temp'),
  }
}

/** The path of a blob. Errors: TypeError for an invalid hash. */
export function blobFile(paths: Paths, hash: string): string {
  return join(blobFolder(paths, hash), hash)
}

/** The folder of a blob. Errors: TypeError for an invalid hash. */
function blobFolder({ blobs }: Paths, hash: string): string {
  requireHash(hash)
  return join(blobs, hash.slice(0, 2), hash.slice(2, 4))
}

/** The folder of the files derived from a blob. Errors: TypeError for an invalid hash. */
export function derivedFolder({ derived }: Paths, source: string): string {
  requireHash(source)
  return join(derived, source.slice(0, 2), source)
}

/** The path of a derived file. Errors: TypeError for an invalid hash or recipe. */
export function derivedFile(paths: Paths, { source, recipe }: DerivedName): string {
  requireRecipe(recipe)
  return join(derivedFolder(paths, source), recipe)
}

/** The path of a partial blob. Errors: TypeError for an invalid id. */
export function partialFile({ partial }: Paths, id: string): string {
  requirePartialId(id)
  return join(partial, id)
}
