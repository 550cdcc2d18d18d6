import { type SearchIndexInfo, entityKinds } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { TOKEN_WIDTH, scopeOf, tokenOf } from './tokens.ts'

export type IndexReads = ReturnType<typeof prepareIndexReads>

/** Prepares the reads of index statistics. `words` looks at all words of a repository. */
export function prepareIndexReads(driver: SqlDriver, dialect: Dialect) {
  const { searchRows } = dialect.tables
  const { row, branch } = searchRows
  const word = sql.raw(`substr(word, ${TOKEN_WIDTH + 1})`)
  return {
    documents: driver.prepare<readonly [number, number]>(
      sql`SELECT count(*), coalesce(max(${row}), 0) FROM ${searchRows} WHERE ${dialect.anyNumberOf(branch, sql.placeholder('branches'))}`,
    ),
    words: driver.prepare<readonly [number, number]>(
      sql`SELECT count(DISTINCT ${word}), coalesce(sum(rows), 0) FROM ${dialect.vocabulary(sql.placeholder('ranges'))} w`,
    ),
    size: driver.prepare<readonly [number, number]>(dialect.indexSize),
  }
}

/** The number of indexed documents of some branches, and the last row among them. */
export async function indexedDocuments(
  { documents }: IndexReads,
  branches: readonly number[],
): Promise<Pick<SearchIndexInfo, 'numDocs' | 'maxDocId'>> {
  const [numDocs = 0, maxDocId = 0] = (await documents.get({ branches: listText(branches) })) ?? []
  return { numDocs, maxDocId }
}

/** The statistics of the index of some branches. */
export async function indexInfo(reads: IndexReads, branches: readonly number[]): Promise<SearchIndexInfo> {
  const { words, size } = reads
  const [numTerms = 0, numRecords = 0] = (await words.get({ ranges: listText(rangesOf(branches)) })) ?? []
  const [invSize = 0, totalInvertedIndexBlocks = 0] = (await size.get()) ?? []
  return {
    ...(await indexedDocuments(reads, branches)),
    numTerms,
    numRecords,
    invSize,
    totalInvertedIndexBlocks,
  }
}

/** The token ranges that hold the words of texts. */
function rangesOf(branches: readonly number[]): readonly (readonly [first: string, end: string])[] {
  const scopes = branches.flatMap((branch) => entityKinds.map((kind) => scopeOf(branch, kind)))
  return scopes.map((scope) => [tokenOf(scope, 'a', ''), tokenOf(scope, 'b', '')])
}
