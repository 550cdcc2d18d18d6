import type { SearchIndexes } from '@quire/core/ports'
import type { Connections } from '../connections.ts'
import type { BranchTable } from '../branches.ts'
import { askingSeldom } from './costly.ts'
import { indexInfo, indexedDocuments, prepareIndexReads } from './index-info.ts'

/** The search indexes of repositories, which are parts of one index. */
export function createSearchIndexes(
  { dialect, heavy, reindexing, requireOpen }: Omit<Connections, 'writer' | 'reader'>,
  branches: BranchTable,
): SearchIndexes {
  const long = prepareIndexReads(heavy, dialect)
  const info = askingSeldom((repositoryId) => indexInfo(long, branches.numbersIn(repositoryId)))
  return {
    async info(repositoryId) {
      requireOpen()
      return info(repositoryId)
    },
    async size(repositoryId) {
      requireOpen()
      const { numDocs } = await indexedDocuments(long, branches.numbersIn(repositoryId))
      return numDocs
    },
    async *reindex(repositoryId, { after, limit }) {
      const read = (from: number) =>
        reindexing.read({ branches: branches.numbersIn(repositoryId), after: from, limit })
      requireOpen()
      for (let ahead = read(after); ;) {
        const words = await ahead
        // Reads the next part while this one is written.
        if (words.next !== null) ahead = unwatched(read(words.next))
        await reindexing.write(words)
        yield { next: words.next, done: words.documents.length }
        if (words.next === null) return
      }
    },
  }
}

/**
 * Marks a promise as handled, because it may fail before anyone awaits it, or without anyone
 * awaiting it.
 */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
