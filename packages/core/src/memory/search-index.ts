import { kindScope, ownHead } from './branches.ts'
import type { OpenState, State } from './state.ts'
import { meets } from '../adapters/words.ts'
import type {
  Reindexed,
  SearchDocument,
  SearchIndexes,
  SearchIndexInfo,
  TextQuery,
  TextTerm,
} from '../ports/index.ts'
import { type Indexed, type IndexedPosition, type DocumentWords, indexed, isSameDocument } from './indexed.ts'

/** Replaces the search document of a head. A document with the same texts keeps its number. */
export function indexDocument(
  state: State,
  { branch, ref }: IndexedPosition,
  document: SearchDocument | null,
): Indexed | null {
  const before = ownHead(state, branch, ref)?.found ?? null
  const given = document && { document, fileText: fileTextOf(state, document) }
  if (before && given && isSameDocument(before, given)) return before
  if (before) state.positions.delete(branch.repositoryId, String(before.row))
  if (!given) return null
  const row = nextRow(state)
  state.positions.set(branch.repositoryId, String(row), { branch, ref })
  return indexed(row, given)
}

/** The search indexes of a state. */
export function memoryIndexes(open: OpenState): SearchIndexes {
  return {
    info: async (repositoryId) => infoOf(foundIn(open(), repositoryId).map(({ found }) => found)),
    size: async (repositoryId) => foundIn(open(), repositoryId).length,
    async *reindex(repositoryId, { after, limit }) {
      for (let position: number | null = after; position !== null;) {
        const part = reindexPart(open(), repositoryId, { after: position, limit })
        yield part
        position = part.next
      }
    },
  }
}

function reindexPart(
  state: State,
  repositoryId: string,
  { after, limit }: { after: number; limit: number },
): Reindexed {
  const rest = foundIn(state, repositoryId).filter(({ found }) => found.row > after)
  const part = rest.slice(0, limit)
  for (const { position, found } of part) indexAnew(state, position, found)
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

/** All indexed documents of a repository, ordered by number. */
function foundIn(state: State, repositoryId: string): { position: IndexedPosition; found: Indexed }[] {
  return [...state.positions.values(repositoryId)].flatMap((position) => {
    const found = ownHead(state, position.branch, position.ref)?.found
    return found ? [{ position, found }] : []
  })
}

/** Recomputes the words of a document. It keeps its number, and with it its position. */
function indexAnew(state: State, { branch, ref }: IndexedPosition, { row, document }: Indexed): void {
  const head = ownHead(state, branch, ref)
  const found = indexed(row, { document, fileText: fileTextOf(state, document) })
  if (head) state.heads.set(kindScope(branch, ref.kind), ref.id, { ...head, found })
}

// An estimate of an index on disk: the letters of each word once, and a number for each entity that
// contains it.
const BYTES_A_LETTER = 2
const BYTES_A_RECORD = 8

function infoOf(all: readonly Indexed[]): SearchIndexInfo {
  const words = all.map((found) => {
    const { parts, byLocale } = found.words()
    const localized = [...byLocale].flatMap(([locale, own]) => own.flat().map((word) => `${locale} ${word}`))
    return new Set([...parts.flat(), ...localized])
  })
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

/**
 * The first tier (see `SearchPage`) in which all terms match; null when there is none. An empty
 * list of terms matches in the first tier.
 */
export function tierOf(found: Indexed, { terms, locales }: TextQuery): number | null {
  const tier = tiers.findIndex((meets) => terms.every((term) => meets(found, term, locales)))
  return tier < 0 ? null : tier
}

/** Whether all terms match anywhere. */
export function isMetAnywhere(found: Indexed, { terms, locales }: TextQuery): boolean {
  return terms.every((term) => begunAnywhere(found, term, locales))
}

type Meets = (found: Indexed, term: TextTerm, locales: TextQuery['locales']) => boolean

const begunAnywhere: Meets = (found, term, locales) =>
  hasCategory(found, term) || holds(partsOf(found.words(), locales), term)

const tiers: readonly Meets[] = [
  (found, term) => holds(nameOf(found.words()), whole(term)),
  (found, term) => holds(nameOf(found.words()), term),
  (found, term, locales) => hasCategory(found, term) || holds(partsOf(found.words(), locales), whole(term)),
  begunAnywhere,
]

/** The texts in which a search looks. */
function partsOf(
  { parts, byLocale }: DocumentWords,
  locales: readonly string[] = [],
): DocumentWords['parts'] {
  return locales.length === 0 ? parts : [...parts, ...locales.flatMap((locale) => byLocale.get(locale) ?? [])]
}

function nameOf({ name }: DocumentWords): DocumentWords['parts'] {
  return [name]
}

function whole(term: TextTerm): TextTerm {
  return { ...term, prefix: false }
}

function hasCategory({ document }: Indexed, { categories }: TextTerm): boolean {
  return categories.some((id) => document.categories.includes(id))
}

function holds(parts: DocumentWords['parts'], term: TextTerm): boolean {
  return term.words.length > 0 && parts.some((part) => meets(part, term))
}
