import type { Recipe } from '@quire/core/ports'

/** A recipe that retains the size of the picture, with the given changes. */
export function aRecipe(given: Partial<Recipe> = {}): Recipe {
  return { width: null, height: null, fit: 'inside', format: 'png', quality: 80, focalPoint: null, ...given }
}
