import { join } from 'node:path'

/** The folders of what is kept. */
export interface Paths {
  readonly root: string
  /** `<ab>/<cd>/<hash>`: the blobs. */
  readonly blobs: string
  /** `<ab>/<source>/<recipe>`: which blob was made of which. */
  readonly derived: string
  /** `<id>`: blobs that are still coming. */
  readonly partial: string
  /** What has no name of its own yet. */
  readonly temp: string
}

/** Of everything that is made: binaries may be private, so only the account of the server reads them. */
export const fileMode = 0o600
export const folderMode = 0o700

const hashPattern = /^[0-9a-f]{64}$/
const recipePattern = /^[a-z][a-z0-9._-]{0,199}$/
const idPattern = /^UPLD_[0-9A-HJKMNP-TV-Z]{26}$/

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

/** Where what was made of a blob is told. Errors: TypeError for what is no hash. */
export function derivedFolder({ derived }: Paths, source: string): string {
  requireHash(source)
  return join(derived, source.slice(0, 2), source)
}

/** Where one thing that was made of a blob is told. Errors: TypeError for what is no hash or no recipe. */
export function derivedFile(paths: Paths, source: string, recipe: string): string {
  if (!isRecipe(recipe)) throw new TypeError(`${JSON.stringify(recipe)} is no recipe of a derived blob.`)
  return join(derivedFolder(paths, source), recipe)
}

/** Where a partial blob is. Errors: TypeError for what is no id of one. */
export function partialFile({ partial }: Paths, id: string): string {
  if (!isPartialId(id)) throw new TypeError(`${JSON.stringify(id)} is no id of an upload.`)
  return join(partial, id)
}

/** Errors: TypeError for what is not 64 hexadecimal digits in lower case. */
export function requireHash(hash: string): void {
  if (!isHash(hash)) throw new TypeError(`${JSON.stringify(hash)} is no SHA-256 in lower case.`)
}

/** Whether a name is that of a blob. */
export function isHash(name: string): boolean {
  return hashPattern.test(name)
}

/** Whether a name is that of a recipe. */
export function isRecipe(name: string): boolean {
  return recipePattern.test(name)
}

/** Whether a name is that of a partial blob. */
export function isPartialId(name: string): boolean {
  return idPattern.test(name)
}
