import { meets, type TextTerm } from '../ports/index.ts'
import type { DocumentWords, Indexed } from './indexed.ts'

/** The first tier (see `SearchPage`) in which all terms are met; null when in none. No terms are met in the first. */
export function tierOf(found: Indexed, terms: readonly TextTerm[]): number | null {
  const tier = tiers.findIndex((meets) => terms.every((term) => meets(found, term)))
  return tier < 0 ? null : tier
}

/** Whether all terms are met anywhere. */
export function isMetAnywhere(found: Indexed, terms: readonly TextTerm[]): boolean {
  return terms.every((term) => begunAnywhere(found, term))
}

type Meets = (found: Indexed, term: TextTerm) => boolean

const begunAnywhere: Meets = (found, term) => hasCategory(found, term) || holds(found.words().parts, term)

const tiers: readonly Meets[] = [
  (found, term) => holds(nameOf(found.words()), whole(term)),
  (found, term) => holds(nameOf(found.words()), term),
  (found, term) => hasCategory(found, term) || holds(found.words().parts, whole(term)),
  begunAnywhere,
]

function nameOf({ name }: DocumentWords): DocumentWords['parts'] {
  return [name]
}

function whole(term: TextTerm): TextTerm {
  return { ...term, prefix: false }
}

function hasCategory({ document }: Indexed, { categories }: TextTerm): boolean {
  return categories.some((id) => document.categories.includes(id))
}

function holds(parts: DocumentWords['parts'], term: TextTerm): boolean {
  return term.words.length > 0 && parts.some((part) => meets(part, term))
}
