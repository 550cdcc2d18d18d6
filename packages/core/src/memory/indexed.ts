import { wordsOf } from '../adapters/words.ts'
import type { SearchDocument, EntityRef, Branch } from '../ports/index.ts'

/** What text search finds a live head by. */
export interface Indexed {
  /** Its place in the order of the index: grows with every document that is indexed, on whatever branch. */
  readonly row: number
  readonly document: SearchDocument
  /** The text of the file that it names; null for none, also while nobody has put it. */
  readonly fileText: string | null
  /** Made when first asked for, because most heads are never searched. */
  readonly words: () => DocumentWords
}

/** What is under a number of the index. */
export interface IndexedPosition {
  readonly branch: Branch
  readonly ref: EntityRef
}

/** The words of a document, in order. */
export interface DocumentWords {
  readonly name: readonly string[]
  /** The name, each passage and the file apart: words next to each other never cross from one to another. */
  readonly parts: readonly (readonly string[])[]
}

/** A document and the text of its file. */
export type IndexedText = Pick<Indexed, 'document' | 'fileText'>

/** What is said, under a number. */
export function indexed(row: number, given: IndexedText): Indexed {
  let words: DocumentWords | undefined
  return { row, ...given, words: () => (words ??= wordsIn(given)) }
}

/** Whether both say the same, so that what is indexed stays. */
export function isSameDocument(a: IndexedText, b: IndexedText): boolean {
  return textOf(a.document) === textOf(b.document) && a.fileText === b.fileText
}

function wordsIn({ document: { name, passages }, fileText }: IndexedText): DocumentWords {
  const inName = wordsOf(name)
  return {
    name: inName,
    parts: [inName, ...passages.map(({ text }) => wordsOf(text)), wordsOf(fileText ?? '')],
  }
}

function textOf({ name, passages, categories, file }: SearchDocument): string {
  return JSON.stringify([name, passages.map(({ path, text }) => [path, text]), categories, file])
}
