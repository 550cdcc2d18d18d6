import { type LineRef, type SearchIndexInfo, entityKinds } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { type RowOf, selected } from '../row-of.ts'
import { TOKEN_WIDTH, scopeOf, tokenOf } from './tokens.ts'

/** The reads of the administration of the index. */
export type IndexReads = ReturnType<typeof prepareIndexReads>

/** Prepares the reads of a connection. `figures` looks at all words of a repository. */
export function prepareIndexReads(driver: SqlDriver, dialect: Dialect) {
  const { heads, lines, searchRows, undescribed } = dialect.tables
  const { row, line } = searchRows
  const refs = [lines.repositoryId, lines.packageId, heads.kind, heads.id] as const
  const word = sql.raw(`substr(word, ${TOKEN_WIDTH + 1})`)
  return {
    documents: driver.prepare<readonly [number, number]>(
      sql`SELECT count(*), coalesce(max(${row}), 0) FROM ${searchRows} WHERE ${dialect.anyNumberOf(line, sql.placeholder('lines'))}`,
    ),
    words: driver.prepare<readonly [number, number]>(
      sql`SELECT count(DISTINCT ${word}), coalesce(sum(rows), 0) FROM ${dialect.vocabulary(sql.placeholder('ranges'))} w`,
    ),
    size: driver.prepare<readonly [number, number]>(dialect.indexSize),
    undescribed: driver.prepare<RowOf<typeof refs>>(
      sql`SELECT ${selected(refs)} FROM ${undescribed} ${dialect.joinInOrder} ${heads} ON ${heads.head} = ${undescribed.head} ${dialect.joinInOrder} ${lines} ON ${lines.id} = ${heads.line} LIMIT ${sql.placeholder('limit')}`,
    ),
  }
}

/** How many documents some lines have in the index, and the last of them. */
export async function indexedDocuments(
  { documents }: IndexReads,
  lines: readonly number[],
): Promise<Pick<SearchIndexInfo, 'numDocs' | 'maxDocId'>> {
  const [numDocs = 0, maxDocId = 0] = (await documents.get({ lines: listText(lines) })) ?? []
  return { numDocs, maxDocId }
}

/** What the index of some lines holds. */
export async function indexInfo(reads: IndexReads, lines: readonly number[]): Promise<SearchIndexInfo> {
  const { words, size } = reads
  const [numTerms = 0, numRecords = 0] = (await words.get({ ranges: listText(rangesOf(lines)) })) ?? []
  const [invSize = 0, totalInvertedIndexBlocks = 0] = (await size.get()) ?? []
  return {
    ...(await indexedDocuments(reads, lines)),
    numTerms,
    numRecords,
    invSize,
    totalInvertedIndexBlocks,
  }
}

/** Heads whose document is not known. */
export async function findUndescribed(
  { undescribed }: IndexReads,
  limit: number,
): Promise<readonly LineRef[]> {
  const rows = await undescribed.all({ limit })
  return rows.map(([repositoryId, packageId, kind, id]) => ({ repositoryId, packageId, kind, id }))
}

/** Where the words of texts lie, from one token up to another. */
function rangesOf(lines: readonly number[]): readonly (readonly [first: string, end: string])[] {
  const scopes = lines.flatMap((line) => entityKinds.map((kind) => scopeOf(line, kind)))
  return scopes.map((scope) => [tokenOf(scope, 'a', ''), tokenOf(scope, 'b', '')])
}
