import type { EntityKind } from '@quire/core/ports'
import { parseIds, parsePassages } from './documents.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** The columns of `search_documents` that words are made of. */
export interface WordedRow {
  readonly branch: number
  readonly kind: EntityKind
  readonly name: string
  /** JSON, like `categories`. */
  readonly passages: string
  readonly categories: string
  /** The text of its file, if it was available for indexing; else null. */
  readonly text: string | null
}

/** The words of a document, as `search` stores them. */
export function copiedWords({ branch, kind, name, passages, categories, text }: WordedRow): string {
  const given = { name, ...parsePassages(passages), categories: parseIds(categories), text }
  return tokensOf(scopeOf(branch, kind), given)
}
