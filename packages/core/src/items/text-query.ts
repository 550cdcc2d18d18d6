import { remember, type Call } from '../call/call.ts'
import { meets, textQueryOf, wordsOf, type Line, type TextQuery, type TextTerm } from '../ports/index.ts'

// Categories that one word finds. At twice, a search for a common beginning looks up twice as many; at half, fewer items are found by them.
const mostCategories = 50

// Categories of a line whose names are kept in memory, about 200 bytes each; of a line with more, each word is a search of its own.
const mostKept = 1000

/**
 * What people type, as a line of items is searched by it: an item is found by the names of its categories too. The names are looked up now
 * and stand in no document of an item, so that to rename a category writes no item.
 */
export async function searchedText(call: Call, line: Line, text: string): Promise<TextQuery> {
  const { terms } = textQueryOf(text)
  if (terms.length === 0) return { terms }
  const kept = await keptCategories(call, line)
  const find = kept
    ? async (term: TextTerm) => namedIn(kept, term)
    : (term: TextTerm) => seek(call, line, term)
  const withIds = async (term: TextTerm): Promise<TextTerm> => ({ ...term, categories: await find(term) })
  return { terms: await Promise.all(terms.map(withIds)) }
}

/** A category by the words of its name. */
interface NamedCategory {
  readonly id: string
  readonly words: readonly string[]
}

const everybody = { types: 'all', roles: 'all' } as const

/** All categories of a line, or null when they are too many. Kept until a category is written, which touches the record `structure`. */
function keptCategories(call: Call, line: Line): Promise<readonly NamedCategory[] | null> {
  const key = `category-words:${line.repositoryId}:${line.packageId}`
  return remember(call, key, async () => {
    const { entities, next } = await call.store.entities.list(line, {
      kind: 'category',
      reader: everybody,
      archived: false,
      sort: [],
      limit: mostKept,
      count: false,
    })
    return next ? null : entities.map(({ id, name }) => ({ id, words: wordsOf(name) }))
  })
}

function namedIn(kept: readonly NamedCategory[], term: TextTerm): string[] {
  const named = kept.filter(({ words }) => meets(words, term))
  return named.slice(0, mostCategories).map(({ id }) => id)
}

async function seek(call: Call, line: Line, term: TextTerm): Promise<string[]> {
  // What of a category meets the term: its name comes before all else (see `SearchPage`).
  const { entities } = await call.store.entities.search(line, {
    kind: 'category',
    reader: everybody,
    text: { terms: [term] },
    archived: false,
    limit: mostCategories,
    count: false,
  })
  return entities.filter(({ name }) => meets(wordsOf(name), term)).map(({ id }) => id)
}
