import { z } from 'zod'
import { Id, UnixMs } from '../conventions.ts'

const progress = z.object({
  done: z.int().describe('Number of entities that have been indexed again'),
  total: z.int().describe('Total number of entities'),
})

/** A rebuild of a search index. */
export const IndexRebuild = z
  .object({
    id: Id,
    index: z.string().describe('Name of the index, which is the name of its repository'),
    state: z.enum(['running', 'succeeded', 'failed']).describe('State of the rebuild'),
    progress,
    startedDate: UnixMs,
    finishedDate: UnixMs.nullable().describe('When it ended; null while it is running'),
    error: z.string().nullable().describe('Why it failed'),
  })
  .meta({ id: 'IndexRebuild', description: 'A rebuild of a search index' })

/** A rebuild of a search index. */
export type IndexRebuild = z.output<typeof IndexRebuild>

/** The statistics of a search index (specification 2.13). */
export const SearchIndex = z
  .object({
    name: z.string().describe('Name of its repository'),
    numDocs: z.number().optional().describe('Number of entities, on all branches'),
    maxDocId: z.number().optional().describe('The highest document number in the index'),
    numTerms: z.number().optional().describe('Number of different words'),
    numRecords: z.number().optional().describe('Number of pairs of a word and an entity that contains it'),
    invSize: z.number().optional().describe('Size of the inverted index in bytes'),
    totalInvertedIndexBlocks: z.number().optional().describe('Number of blocks of the inverted index'),
    rebuild: IndexRebuild.optional().describe('The last rebuild; absent if there was none'),
  })
  .meta({ id: 'SearchIndex', description: 'The statistics of a search index (specification 2.13)' })

/** The statistics of a search index. */
export type SearchIndex = z.output<typeof SearchIndex>
