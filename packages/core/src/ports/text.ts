/** A text of an entity, with the path of the member that holds it. */
export interface Passage {
  /** `description`, `slug`, `fields.body`… */
  readonly path: string
  readonly text: string
  /**
   * The locales whose searches find it, by names that `TextQuery.locales` uses. Absent: every search
   * finds it.
   */
  readonly locales?: readonly string[]
}

/**
 * The texts by which full-text search finds an entity. It is stored as is: highlights are cut from
 * it, a rebuild of the index starts from it, and a write that does not change it does not touch the
 * index.
 */
export interface SearchDocument {
  /** Matches here rank first. */
  readonly name: string
  readonly passages: readonly Passage[]
  /** Category ids: a term can be matched by one of them (see `TextTerm`). */
  readonly categories: readonly string[]
  /** Hash of the file whose text (see `TextReader`) is searched as well; null for none. */
  readonly file: string | null
  /**
   * The locales of its repository. Every search there names one of them in `TextQuery.locales`, so an
   * index may have the texts that all of them share under each. Absent: there are none.
   */
  readonly locales?: readonly string[]
}

/** A text search: every term must match. `textQueryOf` makes one from user input. */
export interface TextQuery {
  readonly terms: readonly TextTerm[]
  /** Passages of these locales are searched too. Default: only those without locales. */
  readonly locales?: readonly string[]
}

/**
 * One term: adjacent words in this order, in the name or in one passage, or any of some categories.
 */
export interface TextTerm {
  /** At least one word, in the form that `wordsOf` returns. */
  readonly words: readonly string[]
  /** Whether the last word may be a prefix of a longer one. */
  readonly prefix: boolean
  /** Category ids that match the term just as its words do. */
  readonly categories: readonly string[]
}
