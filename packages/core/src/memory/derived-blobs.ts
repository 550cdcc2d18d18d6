import { type DerivedBlob, type DerivedBlobs, requireHash, requireRecipe } from '../ports/index.ts'

/** What was made of which blob. */
export function memoryDerived(): DerivedBlobs {
  const entries = new Map<string, DerivedBlob>()
  return {
    async find(source, recipe) {
      return entries.get(keyOf(source, recipe))?.blob ?? null
    },
    async keep({ source, recipe, blob: { hash, size } }) {
      requireHash(hash)
      entries.set(keyOf(source, recipe), { source, recipe, blob: { hash, size } })
    },
    async forget(source) {
      requireHash(source)
      for (const [key, entry] of entries) if (entry.source === source) entries.delete(key)
    },
    async *list() {
      yield* entries.values()
    },
  }
}

function keyOf(source: string, recipe: string): string {
  requireHash(source)
  requireRecipe(recipe)
  return `${source} ${recipe}`
}
