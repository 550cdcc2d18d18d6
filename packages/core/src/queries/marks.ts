import { foldText, standsAt, wordPlacesOf, type TextTerm, type WordPlace } from '../ports/index.ts'
import { foldWithPlaces, type Folded } from './folded.ts'

/** From one place of a text to before another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What the words of the terms cover in a text in NFC, in order and apart. */
export function marksIn(text: string, terms: readonly TextTerm[]): Span[] {
  if (!mayHold(text, terms)) return []
  const folded = foldWithPlaces(text)
  const places = wordPlacesOf(folded.text)
  const row = places.map(({ word }) => word)
  const found = terms.flatMap((term) => matchesOf(term, row, places))
  return apart(found.map((span) => written(folded, span)))
}

/** Whether a text holds the letters of a term at all: next to nothing to find out, and most parts of a long text hold none. */
function mayHold(text: string, terms: readonly TextTerm[]): boolean {
  const folded = foldText(text)
  return terms.some(({ words }) => words.every((word) => folded.includes(word)))
}

function matchesOf(term: TextTerm, row: readonly string[], places: readonly WordPlace[]): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < row.length; at++) {
    const span = standsAt(row, at, term) && matchAt(places, at, term)
    if (span) spans.push(span)
  }
  return spans
}

/** What a match covers: whole words, but of scripts that do not part words only the letters that were sought. */
function matchAt(places: readonly WordPlace[], at: number, { words, prefix }: TextTerm): Span | null {
  const first = places[at]
  const last = places[at + words.length - 1]
  if (!first || !last) return null
  const sought = words.at(-1) ?? ''
  const end = prefix && last.isUnspaced ? last.start + sought.length : last.end
  return { start: first.start, end }
}

function written(folded: Folded, { start, end }: Span): Span {
  return { start: folded.startOf(start), end: folded.endOf(end - 1) }
}

function apart(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1)
    if (before && span.start <= before.end)
      joined[joined.length - 1] = { start: before.start, end: Math.max(before.end, span.end) }
    else joined.push(span)
  }
  return joined
}
