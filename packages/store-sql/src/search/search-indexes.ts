import type { SearchIndexes } from '@quire/core/ports'
import type { Connections } from '../connections.ts'
import type { LineTable } from '../lines.ts'
import { findUndescribed, indexInfo, prepareIndexReads } from './index-info.ts'

/** The search indexes of repositories, as parts of one. */
export function createSearchIndexes(
  { dialect, reader, heavy, reindex, requireOpen }: Omit<Connections, 'writer'>,
  lines: LineTable,
): SearchIndexes {
  const reads = prepareIndexReads(reader, dialect)
  const long = prepareIndexReads(heavy, dialect)
  return {
    async info(repositoryId) {
      requireOpen()
      return indexInfo(long, lines.numbersIn(repositoryId))
    },
    async reindex(repositoryId, part) {
      requireOpen()
      return reindex({ ...part, lines: lines.numbersIn(repositoryId) })
    },
    async undescribed(limit) {
      requireOpen()
      return findUndescribed(reads, lines, limit)
    },
  }
}
