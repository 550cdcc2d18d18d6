import type { Recipe } from '@quire/core/ports'

/** A recipe that leaves the picture as large as it is, but for what is given. */
export function aRecipe(given: Partial<Recipe> = {}): Recipe {
  return { width: null, height: null, fit: 'inside', format: 'png', quality: 80, focalPoint: null, ...given }
}
