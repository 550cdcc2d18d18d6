import type { EntityKind } from '@quire/core/ports'
import { parseIds, parsePassages } from './documents.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** A row of `search_documents`, as far as words are made of it. */
export interface WordedRow {
  readonly branch: number
  readonly kind: EntityKind
  readonly name: string
  /** JSON, as `categories`. */
  readonly passages: string
  readonly categories: string
  /** The text of its file, where that was there to be indexed. */
  readonly text: string | null
}

/** What `search` has of a document. */
export function copiedWords({ branch, kind, name, passages, categories, text }: WordedRow): string {
  const given = { name, passages: parsePassages(passages), categories: parseIds(categories), text }
  return tokensOf(scopeOf(branch, kind), given)
}
