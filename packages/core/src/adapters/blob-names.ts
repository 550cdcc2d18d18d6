const hashPattern = /^[0-9a-f]{64}$/

const recipePattern = /^[a-z][a-z0-9._-]{0,199}$/

const idPattern = /^UPLD_[0-9A-HJKMNP-TV-Z]{26}$/

/** Whether a name is a valid blob hash. */
export function isHash(name: string): boolean {
  return hashPattern.test(name)
}

/** Whether a name is a valid recipe. */
export function isRecipe(name: string): boolean {
  return recipePattern.test(name)
}

/** Whether a name is a valid id of a partial blob. */
export function isPartialId(name: string): boolean {
  return idPattern.test(name)
}

/** Errors: TypeError if it is not 64 hexadecimal digits in lower case. */
export function requireHash(hash: string): void {
  if (!isHash(hash)) throw new TypeError(`${JSON.stringify(hash)} is not a SHA-256 hash in lower case.`)
}

/** Errors: TypeError if it is not a valid recipe. */
export function requireRecipe(recipe: string): void {
  if (!isRecipe(recipe))
    throw new TypeError(`${JSON.stringify(recipe)} is not a valid recipe of a derived blob.`)
}

/** Errors: TypeError if it is not a valid id of a partial blob. */
export function requirePartialId(id: string): void {
  if (!isPartialId(id)) throw new TypeError(`${JSON.stringify(id)} is not a valid upload id.`)
}

/** Errors: TypeError if it is not a non-negative safe integer. */
export function requireCount(bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new TypeError(`${bytes} is not a valid number of bytes.`)
}
