/** Errors: TypeError for what is not 64 hexadecimal digits in lower case. */
export function requireHash(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new TypeError(`${JSON.stringify(hash)} is no SHA-256 in lower case.`)
}

/** Errors: TypeError for what is no name of a recipe. */
export function requireRecipe(recipe: string): void {
  if (!/^[a-z][a-z0-9._-]{0,199}$/.test(recipe))
    throw new TypeError(`${JSON.stringify(recipe)} is no recipe of a derived blob.`)
}

/** Errors: TypeError for what is no id of a partial blob. */
export function requirePartialId(id: string): void {
  if (!/^UPLD_[0-9A-HJKMNP-TV-Z]{26}$/.test(id))
    throw new TypeError(`${JSON.stringify(id)} is no id of an upload.`)
}

/** Errors: TypeError for what is no number of bytes. */
export function requireCount(bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TypeError(`${bytes} is no number of bytes.`)
}
