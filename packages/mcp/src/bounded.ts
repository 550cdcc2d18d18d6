/**
 * The bounds of an answer. The context of a model is small and paid for, so every answer fits, and
 * says what it leaves out.
 */
export const bounds = {
  /** Characters of JSON of the content of one answer. */
  content: 24_000,
  /** Characters of one text in a list or a comparison. */
  excerpt: 400,
  /** Characters of one text of an item that is read. */
  text: 8_000,
  /** Entries of one page of a list, unless the model asks for fewer. */
  page: 20,
  /** Entries that a model can ask for. */
  pageMost: 50,
} as const

/** A text of which an answer contains only a part. */
export interface CutText {
  /** Where it is, in dot notation: `fields.body`. */
  readonly path: string
  /** Its length in characters. */
  readonly length: number
}

/** A value whose long texts are cut, and where that was. */
export interface Shortened {
  readonly value: unknown
  readonly cut: readonly CutText[]
}

/** Cuts each text in a value after `most` characters. */
export function shorten(value: unknown, most: number): Shortened {
  const cut: CutText[] = []
  const walk = (part: unknown, path: string): unknown => {
    if (typeof part === 'string') {
      if (part.length <= most) return part
      cut.push({ path, length: part.length })
      return `${wholeCharacters(part.slice(0, most))}…`
    }
    if (Array.isArray(part)) return part.map((entry, index) => walk(entry, joined(path, String(index))))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, walk(inner, joined(path, name))]),
    )
  }
  return { value: walk(value, ''), cut }
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Without half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

/** The first entries that fit into an answer: at least one. */
export function fitting<T>(entries: readonly T[], most: number = bounds.content): readonly T[] {
  let size = 0
  const end = entries.findIndex((entry, index) => {
    size += JSON.stringify(entry).length
    return index > 0 && size > most
  })
  return end < 0 ? entries : entries.slice(0, end)
}
