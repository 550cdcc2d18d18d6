import type { EntityKind, SearchDocument } from '@quire/core/ports'
import type { DocumentWrites, DocumentRow } from './document-statements.ts'
import { passagesText } from './documents.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** The head that a document belongs to. */
export interface DocumentKey {
  readonly head: number
  readonly branch: number
  readonly kind: EntityKind
}

/**
 * Stores the document and the words of a head that has none yet, in the next row of the index.
 * Always changes the index.
 */
export async function insertDocument(
  writes: DocumentWrites,
  document: SearchDocument,
  { head, branch, kind, row }: DocumentKey & { readonly row: number },
): Promise<true> {
  const text = await textOf(writes, document)
  await writes.insertRow.send({ row, head, branch })
  await writes.insert.send({ head, row, branch, kind, ...columnsOf(document, text) })
  await writes.insertWords.send({ row, words: tokensOf(scopeOf(branch, kind), { ...document, text }) })
  return true
}

/**
 * Stores the document of a head. An unchanged document keeps its position in the index. Returns
 * whether the index changed.
 */
export async function putDocument(
  writes: DocumentWrites,
  document: SearchDocument,
  scope: DocumentKey,
): Promise<boolean> {
  const { head, branch, kind } = scope
  const found = await writes.stored.get({ head })
  if (!found) return insertDocument(writes, document, { ...scope, row: await nextRow(writes) })
  const [next, ...stored] = found
  const text = await textOf(writes, document)
  const columns = columnsOf(document, text)
  if (isSame(stored, columns)) return false
  const [row] = stored
  await writes.moveRow.send({ head, row, next })
  await writes.deleteWords.send({ row })
  await writes.update.send({ head, row: next, ...columns })
  await writes.insertWords.send({ row: next, words: tokensOf(scopeOf(branch, kind), { ...document, text }) })
  return true
}

/** Deletes the document of a head, if there is one. Returns whether the index changed. */
export async function deleteDocument(writes: DocumentWrites, head: number): Promise<boolean> {
  const [, row] = (await writes.stored.get({ head })) ?? []
  if (row === undefined) return false
  await writes.deleteWords.send({ row })
  await writes.deleteRow.send({ head, row })
  await writes.delete.send({ head })
  return true
}

async function nextRow(writes: DocumentWrites): Promise<number> {
  const [row] = (await writes.nextRow.get()) ?? []
  if (row === undefined) throw new TypeError('The index always has a next row.')
  return row
}

async function textOf(writes: DocumentWrites, { file }: SearchDocument): Promise<string | null> {
  const row = file === null ? undefined : await writes.text.get({ hash: file })
  return row ? row[0] : null
}

function columnsOf(document: SearchDocument, text: string | null) {
  const { name, categories, file } = document
  const texts = { passages: passagesText(document), categories: JSON.stringify(categories) }
  return { name, ...texts, file, withText: Number(text !== null) }
}

/** The text of a file never changes, so only its presence is compared. */
function isSame(
  [, name, passages, categories, file, withText]: DocumentRow,
  next: ReturnType<typeof columnsOf>,
): boolean {
  const isNamed = name === next.name && categories === next.categories
  return isNamed && passages === next.passages && file === next.file && withText === next.withText
}
