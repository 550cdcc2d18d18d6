import { wordsOf } from '../adapters/words.ts'
import type { SearchDocument, EntityRef, Branch } from '../ports/index.ts'

/** The search entry of a live head. */
export interface Indexed {
  /** Its position in the order of the index: grows with every indexed document, on any branch. */
  readonly row: number
  readonly document: SearchDocument
  /**
   * The text of the file that the document names; null when there is no file or its text has not
   * been stored.
   */
  readonly fileText: string | null
  /** Computed on first use, because most heads are never searched. */
  readonly words: () => DocumentWords
}

/** The entity that a number of the index stands for. */
export interface IndexedPosition {
  readonly branch: Branch
  readonly ref: EntityRef
}

/** The words of a document, in order. */
export interface DocumentWords {
  readonly name: readonly string[]
  /**
   * The name, each passage and the file separately: adjacent words never cross from one to another.
   */
  readonly parts: readonly (readonly string[])[]
  /** The passages of each locale. */
  readonly byLocale: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** A document and the text of its file. */
export type IndexedText = Pick<Indexed, 'document' | 'fileText'>

/** Creates the entry with this number. */
export function indexed(row: number, given: IndexedText): Indexed {
  let words: DocumentWords | undefined
  return { row, ...given, words: () => (words ??= wordsIn(given)) }
}

/** Whether both have the same texts, so that the indexed one can stay. */
export function isSameDocument(a: IndexedText, b: IndexedText): boolean {
  return textOf(a.document) === textOf(b.document) && a.fileText === b.fileText
}

function wordsIn({ document: { name, passages }, fileText }: IndexedText): DocumentWords {
  const inName = wordsOf(name)
  const locales = [...new Set(passages.flatMap((passage) => passage.locales ?? []))]
  const of = (locale: string | null) =>
    passages
      .filter((passage) => (locale === null ? !passage.locales : passage.locales?.includes(locale)))
      .map(({ text }) => wordsOf(text))
  return {
    name: inName,
    parts: [inName, ...of(null), wordsOf(fileText ?? '')],
    byLocale: new Map(locales.map((locale) => [locale, of(locale)])),
  }
}

function textOf({ name, passages, categories, file, locales }: SearchDocument): string {
  return JSON.stringify([
    name,
    passages.map(({ path, text, locales }) => [path, text, locales]),
    categories,
    file,
    locales,
  ])
}
