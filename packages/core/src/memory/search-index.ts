import type { Reindexed, SearchDocument, SearchIndexes, SearchIndexInfo } from '../ports/index.ts'
import { indexed, saysTheSame, type Indexed, type IndexedPlace } from './indexed.ts'
import { kindScope, ownHead } from './lines.ts'
import type { OpenState, State } from './state.ts'

/** Puts a document of a head in the place of the one before: what says the same keeps its number. */
export function indexDocument(
  state: State,
  { line, ref }: IndexedPlace,
  document: SearchDocument | null,
): Indexed | null {
  const before = ownHead(state, line, ref)?.found ?? null
  const said = document && { document, fileText: fileTextOf(state, document) }
  if (before && said && saysTheSame(before, said)) return before
  if (before) state.places.delete(line.repositoryId, String(before.row))
  if (!said) return null
  const row = nextRow(state)
  state.places.set(line.repositoryId, String(row), { line, ref })
  return indexed(row, said)
}

/** The search indexes of a state. */
export function memoryIndexes(open: OpenState): SearchIndexes {
  return {
    info: async (repositoryId) => infoOf(foundIn(open(), repositoryId).map(({ found }) => found)),
    size: async (repositoryId) => foundIn(open(), repositoryId).length,
    async *reindex(repositoryId, { after, limit }) {
      for (let place: number | null = after; place !== null;) {
        const part = reindexPart(open(), repositoryId, { after: place, limit })
        yield part
        place = part.next
      }
    },
    undescribed: async () => [],
  }
}

function reindexPart(
  state: State,
  repositoryId: string,
  { after, limit }: { after: number; limit: number },
): Reindexed {
  const rest = foundIn(state, repositoryId).filter(({ found }) => found.row > after)
  const part = rest.slice(0, limit)
  for (const { place, found } of part) indexAnew(state, place, found)
  const last = rest.length > limit ? part.at(-1) : undefined
  return { next: last?.found.row ?? null, done: part.length }
}

function nextRow(state: State): number {
  const row = (state.lastRow.get('', '') ?? 0) + 1
  state.lastRow.set('', '', row)
  return row
}

function fileTextOf(state: State, { file }: SearchDocument): string | null {
  return file === null ? null : (state.texts.get('', file) ?? null)
}

/** Everything in the index of a repository, by its numbers. */
function foundIn(state: State, repositoryId: string): { place: IndexedPlace; found: Indexed }[] {
  return [...state.places.values(repositoryId)].flatMap((place) => {
    const found = ownHead(state, place.line, place.ref)?.found
    return found ? [{ place, found }] : []
  })
}

/** Keeps the number, and with it the order. */
function indexAnew(state: State, { line, ref }: IndexedPlace, { row, document }: Indexed): void {
  const head = ownHead(state, line, ref)
  const found = indexed(row, { document, fileText: fileTextOf(state, document) })
  if (head) state.heads.set(kindScope(line, ref.kind), ref.id, { ...head, found })
}

// As an index on disk would keep them: the letters of each word once, a number for each entity that holds it.
const BYTES_A_LETTER = 2
const BYTES_A_RECORD = 8

function infoOf(all: readonly Indexed[]): SearchIndexInfo {
  const words = all.map((found) => new Set(found.words().parts.flat()))
  const terms = new Set(words.flatMap((held) => [...held]))
  const numRecords = words.reduce((sum, { size }) => sum + size, 0)
  const letters = [...terms].reduce((sum, { length }) => sum + length, 0)
  return {
    numDocs: all.length,
    maxDocId: all.at(-1)?.row ?? 0,
    numTerms: terms.size,
    numRecords,
    invSize: BYTES_A_LETTER * letters + BYTES_A_RECORD * numRecords,
    totalInvertedIndexBlocks: all.length,
  }
}
