import type { EntityKind, SearchDocument } from '@quire/core/ports'
import type { DocumentWrites, KeptRow } from './document-statements.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** The head that a document is of. */
export interface DocumentPlace {
  readonly head: number
  readonly line: number
  readonly kind: EntityKind
}

/** Keeps the document of a head that has none yet, and its words. Always changes the index. */
export async function insertDocument(
  writes: DocumentWrites,
  document: SearchDocument,
  { head, line, kind }: DocumentPlace,
): Promise<true> {
  const text = await textOf(writes, document)
  const row = numberOf(await writes.insertRow.get({ head, line }))
  await writes.insert.send({ head, row, line, kind, ...columnsOf(document, text) })
  await writes.insertWords.send({ row, words: tokensOf(scopeOf(line, kind), { ...document, text }) })
  return true
}

/** Keeps the document of a head. One that says the same stays where it is in the order of the index. Answers whether the index changed. */
export async function putDocument(
  writes: DocumentWrites,
  document: SearchDocument,
  place: DocumentPlace,
): Promise<boolean> {
  const { head, line, kind } = place
  const kept = await writes.kept.get({ head })
  if (!kept) {
    await writes.noteDescribed.send({ head })
    return insertDocument(writes, document, place)
  }
  const text = await textOf(writes, document)
  const columns = columnsOf(document, text)
  if (isSame(kept, columns)) return false
  const row = numberOf(await writes.moveRow.get({ row: kept[0] }))
  await writes.deleteWords.send({ row: kept[0] })
  await writes.update.send({ head, row, ...columns })
  await writes.insertWords.send({ row, words: tokensOf(scopeOf(line, kind), { ...document, text }) })
  return true
}

/** Forgets the document of a head. Absent is no error. Answers whether the index changed. */
export async function deleteDocument(writes: DocumentWrites, head: number): Promise<boolean> {
  await writes.noteDescribed.send({ head })
  const kept = await writes.kept.get({ head })
  if (!kept) return false
  await writes.deleteWords.send({ row: kept[0] })
  await writes.deleteRow.send({ row: kept[0] })
  await writes.delete.send({ head })
  return true
}

function numberOf(made: readonly [number] | undefined): number {
  if (!made) throw new TypeError('A row that was written returns its number.')
  return made[0]
}

async function textOf(writes: DocumentWrites, { file }: SearchDocument): Promise<string | null> {
  const row = file === null ? undefined : await writes.text.get({ hash: file })
  return row ? row[0] : null
}

function columnsOf({ name, passages, categories, file }: SearchDocument, text: string | null) {
  const texts = { passages: JSON.stringify(passages), categories: JSON.stringify(categories) }
  return { name, ...texts, file, withText: Number(text !== null) }
}

/** The text of a file never changes: it is there or not. */
function isSame(
  [, name, passages, categories, file, withText]: KeptRow,
  next: ReturnType<typeof columnsOf>,
): boolean {
  const isNamed = name === next.name && categories === next.categories
  return isNamed && passages === next.passages && file === next.file && withText === next.withText
}
