import { join } from 'node:path'
import { type DerivedName, requireHash, requirePartialId, requireRecipe } from '@quire/core/ports'

/** The folders of what is kept. */
export interface Paths {
  readonly root: string
  /** `<ab>/<cd>/<hash>`: the blobs. */
  readonly blobs: string
  /** `<ab>/<source>/<recipe>`: what was made of which blob. */
  readonly derived: string
  /** `<id>`: blobs that are still coming. */
  readonly partial: string
  /** What has no name of its own yet. */
  readonly temp: string
}

/** Of everything that is made: binaries may be private, so only the account of the server reads them. */
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

/** Where a blob is. Errors: TypeError for what is no hash. */
export function blobFile(paths: Paths, hash: string): string {
  return join(blobFolder(paths, hash), hash)
}

/** The folder a blob is in. Errors: TypeError for what is no hash. */
function blobFolder({ blobs }: Paths, hash: string): string {
  requireHash(hash)
  return join(blobs, hash.slice(0, 2), hash.slice(2, 4))
}

/** Where what was made of a blob is. Errors: TypeError for what is no hash. */
export function derivedFolder({ derived }: Paths, source: string): string {
  requireHash(source)
  return join(derived, source.slice(0, 2), source)
}

/** Where one thing that was made of a blob is. Errors: TypeError for what is no hash or no recipe. */
export function derivedFile(paths: Paths, { source, recipe }: DerivedName): string {
  requireRecipe(recipe)
  return join(derivedFolder(paths, source), recipe)
}

/** Where a partial blob is. Errors: TypeError for what is no id of one. */
export function partialFile({ partial }: Paths, id: string): string {
  requirePartialId(id)
  return join(partial, id)
}
