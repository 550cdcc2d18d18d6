import type { EntityReader, Branch } from '../../ports/index.ts'

// Generated slugs are cut at a word before this length. The rest of the limit is reserved for
// numbers.
const generatedLength = 200

/**
 * Makes a slug from any text: transliterated to a-z and 0-9, with words joined by dashes. Empty if
 * nothing is left.
 */
export async function slugify(text: string): Promise<string> {
  const latin = isAscii(text) ? text : await transliterate(text)
  const words =
    latin
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  return cut(words.join('-'))
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}

/** Loads the library on first use, because its tables are large. */
async function transliterate(text: string): Promise<string> {
  const { transliterate: toLatin } = await import('transliteration')
  return toLatin(text)
}

function cut(slug: string): string {
  if (slug.length <= generatedLength) return slug
  const shorter = slug.slice(0, generatedLength)
  return shorter.slice(0, Math.max(shorter.lastIndexOf('-'), 0)) || shorter
}

/**
 * Returns the slug, or the slug with a free number from 2 on. Needs two lookups for each binary
 * digit of the number, so that a thousand items with the same name do not make the next one slow.
 * It may return a higher number than the lowest free one, if numbers in between are free.
 */
export async function freeSlug(entities: EntityReader, branch: Branch, slug: string): Promise<string> {
  const isFree = async (candidate: string) =>
    (await entities.getBySlug(branch, { kind: 'item', slug: candidate })) === null
  if (await isFree(slug)) return slug
  let inUse = 1
  let free = 2
  while (!(await isFree(`${slug}-${free}`))) {
    inUse = free
    free *= 2
  }
  while (free - inUse > 1) {
    const middle = Math.floor((inUse + free) / 2)
    if (await isFree(`${slug}-${middle}`)) free = middle
    else inUse = middle
  }
  return `${slug}-${free}`
}
