import type { SearchIndexes } from '@quire/core/ports'
import type { Connections } from '../connections.ts'
import type { LineTable } from '../lines.ts'
import { askingSeldom } from './costly.ts'
import { findUndescribed, indexInfo, indexedDocuments, prepareIndexReads } from './index-info.ts'

/** The search indexes of repositories, as parts of one. */
export function createSearchIndexes(
  { dialect, reader, heavy, reindex, requireOpen }: Omit<Connections, 'writer'>,
  lines: LineTable,
): SearchIndexes {
  const reads = prepareIndexReads(reader, dialect)
  const long = prepareIndexReads(heavy, dialect)
  const info = askingSeldom((repositoryId) => indexInfo(long, lines.numbersIn(repositoryId)))
  return {
    async info(repositoryId) {
      requireOpen()
      return info(repositoryId)
    },
    async size(repositoryId) {
      requireOpen()
      const { numDocs } = await indexedDocuments(long, lines.numbersIn(repositoryId))
      return numDocs
    },
    async reindex(repositoryId, part) {
      requireOpen()
      return reindex({ ...part, lines: lines.numbersIn(repositoryId) })
    },
    async undescribed(limit) {
      requireOpen()
      return findUndescribed(reads, limit)
    },
  }
}
