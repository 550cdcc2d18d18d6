import { wordsOf, type SearchDocument, type TextQuery, type TextTerm } from '@quire/core/ports'

/** The texts of files by their hashes. */
export type FileTexts = Readonly<Record<string, string>>

/**
 * The tier in which a document matches a query, or null. Written as plainly as possible; every
 * store's answer is compared with it.
 */
export function oracleTier(
  document: SearchDocument,
  files: FileTexts,
  { terms, locales = [] }: TextQuery,
): 0 | 1 | 2 | 3 | null {
  const all = textsOf(document, files, locales)
  const name = all.slice(0, 1)
  const inCategory = (term: TextTerm) => term.categories.some((id) => document.categories.includes(id))
  if (terms.every((term) => isWhole(name, term))) return 0
  if (terms.every((term) => isBegun(name, term))) return 1
  if (terms.every((term) => isWhole(all, term) || inCategory(term))) return 2
  return terms.every((term) => isBegun(all, term) || inCategory(term)) ? 3 : null
}

/** The set of words in a document, in all locales. */
export function wordsWithin(document: SearchDocument, files: FileTexts): ReadonlySet<string> {
  return new Set(
    textsOf(document, files, ['de', 'en']).flatMap((text) => text.split(' ').filter((word) => word !== '')),
  )
}

/** The words of the name, of each passage that is searched, and of the file, each surrounded by spaces. */
function textsOf(
  { name, passages, file }: SearchDocument,
  files: FileTexts,
  searched: readonly string[],
): readonly string[] {
  const inLocales = passages.filter(({ locales }) => locales?.some((one) => searched.includes(one)) ?? true)
  const texts = [name, ...inLocales.map(({ text }) => text), files[file ?? ''] ?? '']
  return texts.map((text) => ` ${wordsOf(text).join(' ')} `)
}

function isWhole(texts: readonly string[], { words }: TextTerm): boolean {
  return texts.some((text) => text.includes(` ${words.join(' ')} `))
}

function isBegun(texts: readonly string[], { words, prefix }: TextTerm): boolean {
  return texts.some((text) => text.includes(` ${words.join(' ')}${prefix ? '' : ' '}`))
}
