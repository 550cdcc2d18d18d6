import type { EntityReader, Branch } from '../../ports/index.ts'

// Generated slugs are cut here, at a word: the rest of the limit is for numbers.
const generatedLength = 200

/** A slug for any text: transliterated to a-z and 0-9, words joined by dashes; empty when nothing is left. */
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

/** Loaded when the first text that needs it comes: its tables are large. */
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
 * The slug itself, or with the first free number from 2 on. Finds it in as many look-ups as the number has binary digits, twice:
 * a thousand items of one name must not make the next one slow. Where numbers were freed in between, a later one may be taken.
 */
export async function freeSlug(entities: EntityReader, branch: Branch, wanted: string): Promise<string> {
  const isFree = async (slug: string) => (await entities.getBySlug(branch, 'item', slug)) === null
  if (await isFree(wanted)) return wanted
  let inUse = 1
  let free = 2
  while (!(await isFree(`${wanted}-${free}`))) {
    inUse = free
    free *= 2
  }
  while (free - inUse > 1) {
    const middle = Math.floor((inUse + free) / 2)
    if (await isFree(`${wanted}-${middle}`)) free = middle
    else inUse = middle
  }
  return `${wanted}-${free}`
}
