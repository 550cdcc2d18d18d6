import { z } from 'zod'
import { Id, UnixMs } from '../conventions.ts'

const progress = z.object({
  done: z.int().describe('Entities that are indexed anew'),
  total: z.int().describe('Entities that there are to do'),
})

/** A rebuild of a search index. */
export const IndexRebuild = z
  .object({
    id: Id,
    index: z.string().describe("The index: its repository's name"),
    state: z.enum(['running', 'succeeded', 'failed']).describe('How far it is'),
    progress,
    startedDate: UnixMs,
    finishedDate: UnixMs.nullable().describe('null while it runs'),
    error: z.string().nullable().describe('Why it failed'),
  })
  .meta({ id: 'IndexRebuild', description: 'A rebuild of a search index' })

/** A rebuild of a search index. */
export type IndexRebuild = z.output<typeof IndexRebuild>

/** What a search index holds (specification 2.13). */
export const SearchIndex = z
  .object({
    name: z.string().describe("Its repository's name"),
    numDocs: z.number().optional().describe('Entities in it, on every line'),
    maxDocId: z.number().optional().describe('The highest number that an entity has in it'),
    numTerms: z.number().optional().describe('Different words'),
    numRecords: z.number().optional().describe('Pairs of a word and an entity that holds it'),
    invSize: z.number().optional().describe('Bytes of the inverted index'),
    totalInvertedIndexBlocks: z.number().optional().describe('Blocks that it is kept in'),
    rebuild: IndexRebuild.optional().describe('The last rebuild, where there was one'),
  })
  .meta({ id: 'SearchIndex', description: 'What a search index holds (specification 2.13)' })

/** What a search index holds. */
export type SearchIndex = z.output<typeof SearchIndex>
