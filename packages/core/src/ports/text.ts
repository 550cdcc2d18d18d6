/** A text of an entity, with the member that says it. */
export interface Passage {
  /** `description`, `slug`, `fields.body`… */
  readonly path: string
  readonly text: string
}

/**
 * What full-text search finds an entity by. It is kept as it is: highlights are cut from it, a rebuild makes the index of it anew, and
 * a write that leaves it alone leaves the index alone.
 */
export interface SearchDocument {
  /** What is found here comes first. */
  readonly name: string
  readonly passages: readonly Passage[]
  /** Ids of categories: a term may be met by one of them (see `TextTerm`). */
  readonly categories: readonly string[]
  /** Hash of the file whose text (see `TextReader`) counts as well; null for none. */
  readonly file: string | null
}

/** What a text search asks for: every term must be met. `textQueryOf` makes one of what people type. */
export interface TextQuery {
  readonly terms: readonly TextTerm[]
}

/** Words that stand next to each other in this order in the name or in one passage, or one of some categories. */
export interface TextTerm {
  /** As `wordsOf` gives them, at least one. */
  readonly words: readonly string[]
  /** Whether the last word may be the beginning of a longer one. */
  readonly prefix: boolean
  /** Ids of categories that meet the term as well as its words do. */
  readonly categories: readonly string[]
}
