const hashPattern = /^[0-9a-f]{64}$/

const recipePattern = /^[a-z][a-z0-9._-]{0,199}$/

const idPattern = /^UPLD_[0-9A-HJKMNP-TV-Z]{26}$/

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

/** Errors: TypeError for what is not 64 hexadecimal digits in lower case. */
export function requireHash(hash: string): void {
  if (!isHash(hash)) throw new TypeError(`${JSON.stringify(hash)} is no SHA-256 in lower case.`)
}

/** Errors: TypeError for what is no name of a recipe. */
export function requireRecipe(recipe: string): void {
  if (!isRecipe(recipe)) throw new TypeError(`${JSON.stringify(recipe)} is no recipe of a derived blob.`)
}

/** Errors: TypeError for what is no id of a partial blob. */
export function requirePartialId(id: string): void {
  if (!isPartialId(id)) throw new TypeError(`${JSON.stringify(id)} is no id of an upload.`)
}

/** Errors: TypeError for what is no number of bytes. */
export function requireCount(bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TypeError(`${bytes} is no number of bytes.`)
}
