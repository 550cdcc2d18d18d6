import type { Highlight } from '@quire/contract'
import { escaped } from '../../engine/html.ts'
import { type Passage, type TextQuery, type TextTerm } from '../../ports/index.ts'
import {
  withFewAccents,
  foldText,
  standsAt,
  wordPositionsOf,
  type WordPosition,
} from '../../adapters/words.ts'

// Characters of an item that are looked through, about 10 ms of work. At twice, what stands late in a long file is marked too, and takes twice as long.
const mostRead = 100_000

// Of one text.
const mostFragments = 3

// Characters: a fragment, what of it stands before its first mark, and how much the marks may make it longer.
const fragmentLength = 160
const lead = 40
const longestFragment = 400

/**
 * Where the words of a search stand in the texts of an item, found as the search finds them: fragments of HTML that is escaped but for
 * `<mark>` around each match; `…` where the text goes on. Texts without a match are left out, and so is what stands after the first 100 000
 * characters of all of them.
 */
export function highlightsOf(passages: readonly Passage[], { terms }: TextQuery): Highlight[] {
  let left = mostRead
  return passages.flatMap(({ path, text }) => {
    const read = cutText(text, left)
    left -= read.length
    const fragments = fragmentsOf(withFewAccents(read).normalize('NFC'), terms)
    return fragments.length > 0 ? [{ path, fragments }] : []
  })
}

// Characters of a long text that are looked at together, and around them: longer than anything that is sought. At twice, more is folded letter
// by letter around a match; at half, more of it twice.
const window = 2048
const around = 600

function fragmentsOf(text: string, terms: readonly TextTerm[]): string[] {
  const fragments: string[] = []
  let from = 0
  for (let start = 0; start < text.length && fragments.length < mostFragments; start += window) {
    const highlights = highlightsNear(text, start, terms)
    while (fragments.length < mostFragments) {
      const first = highlights.find((highlight) => highlight.start >= Math.max(from, start))
      if (!first || first.start >= start + window) break
      const part = fragmentWith(text, { highlights, first, from })
      fragments.push(marked(text, part, highlights))
      from = part.end
    }
  }
  return fragments
}

/** What the terms cover from a place on, and some way around. */
function highlightsNear(text: string, start: number, terms: readonly TextTerm[]): Span[] {
  const from = letterBefore(text, Math.max(0, start - around))
  const part = text.slice(from, letterBefore(text, start + window + around))
  return highlightsIn(part, terms).map((highlight) => ({
    start: from + highlight.start,
    end: from + highlight.end,
  }))
}

interface HighlightOptions {
  readonly highlights: readonly Span[]
  /** The first mark that the fragment holds. */
  readonly first: Span
  /** Where the fragment before ended. */
  readonly from: number
}

function fragmentWith(text: string, { highlights, first, from }: HighlightOptions): Span {
  const start = startNear(text, Math.max(from, first.start - lead), first.start)
  const most = letterBefore(text, Math.min(text.length, first.start + longestFragment))
  const usual = endNear(text, Math.max(start + fragmentLength, first.end), first.end)
  const across = highlights.find((highlight) => highlight.start < usual && highlight.end > usual)
  return { start, end: Math.min(most, across?.end ?? usual) }
}

/** The beginning of a word between two places; where there is none the first of them. */
function startNear(text: string, from: number, to: number): number {
  if (from === 0) return 0
  const space = text.slice(from - 1, to).search(/\s\S/u)
  return space >= 0 ? from + space : letterBefore(text, from)
}

// Characters at the end of a fragment in which it may end with a word.
const tail = 20

/** The end of a word near a place, not before another. */
function endNear(text: string, at: number, least: number): number {
  if (at >= text.length) return text.length
  const from = Math.max(least, at - tail)
  const space = text.slice(from, at + 1).search(/\s\S*$/u)
  return space >= 0 ? from + space : Math.max(least, letterBefore(text, at))
}

/** A place that parts no surrogate pair. */
function letterBefore(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return isLow(code) && before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, letterBefore(text, length))
}

function marked(text: string, part: Span, highlights: readonly Span[]): string {
  let html = part.start > 0 ? '…' : ''
  let at = part.start
  for (const { start, end } of highlights) {
    if (start < at || start >= part.end) continue
    const until = Math.min(end, part.end)
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, until))}</mark>`
    at = until
  }
  return `${html}${escaped(text.slice(at, part.end))}${part.end < text.length ? '…' : ''}`
}

/** From one place of a text to before another. */
interface Span {
  readonly start: number
  readonly end: number
}

/** What the words of the terms cover in a text in NFC, in order and apart. */
function highlightsIn(text: string, terms: readonly TextTerm[]): Span[] {
  if (!mayHold(text, terms)) return []
  const folded = foldWithPositions(text)
  const positions = wordPositionsOf(folded.text)
  const row = positions.map(({ word }) => word)
  const found = terms.flatMap((term) => matchesOf(term, row, positions))
  return apart(found.map((span) => written(folded, span)))
}

/** Whether a text holds the letters of a term at all: next to nothing to find out, and most parts of a long text hold none. */
function mayHold(text: string, terms: readonly TextTerm[]): boolean {
  const folded = foldText(text)
  return terms.some(({ words }) => words.every((word) => folded.includes(word)))
}

function matchesOf(term: TextTerm, row: readonly string[], positions: readonly WordPosition[]): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < row.length; at++) {
    const span = standsAt(row, at, term) && matchAt(positions, at, term)
    if (span) spans.push(span)
  }
  return spans
}

/** What a match covers: whole words, but of scripts that do not part words only the letters that were sought. */
function matchAt(positions: readonly WordPosition[], at: number, { words, prefix }: TextTerm): Span | null {
  const first = positions[at]
  const last = positions[at + words.length - 1]
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

/** A text as it is searched, which stands nowhere near as it is written. */
interface Folded {
  readonly text: string
  /** Where in the written text the letter begins that a place of the folded one is of. */
  startOf(at: number): number
  /** Where that letter ends. */
  endOf(at: number): number
}

/** Folds a text (see `foldText`) and keeps where each of its letters comes from. The text is to be in NFC. */
function foldWithPositions(text: string): Folded {
  if (ascii.test(text)) return { text: text.toLowerCase(), startOf: (at) => at, endOf: (at) => at + 1 }
  return foldPieces(text)
}

const ascii = /^[\0-\x7f]*$/
// Nothing is folded across white space.
const chunks = /\s+|\S+/gu
const isAccent = /\p{M}/u

function foldPieces(text: string): Folded {
  const folds = new Map<string, string>()
  const starts: number[] = []
  const ends: number[] = []
  let all = ''
  for (const { 0: chunk, index } of text.matchAll(chunks)) {
    const pieces = piecesOf(chunk, folds)
    for (const { folded, start, end } of pieces) {
      all += folded
      for (let unit = 0; unit < folded.length; unit++) {
        starts.push(index + start)
        ends.push(index + end)
      }
    }
  }
  return { text: all, startOf: (at) => starts[at] ?? text.length, endOf: (at) => ends[at] ?? text.length }
}

interface FoldedPart {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Letter by letter; where letters become another thing together (half-width kana with marks, Hangul in parts) the whole chunk is one piece. */
function piecesOf(chunk: string, folds: Map<string, string>): readonly FoldedPart[] {
  const found: FoldedPart[] = []
  for (let start = 0; start < chunk.length;) {
    const end = letterEnd(chunk, start)
    found.push({ folded: foldOnce(chunk.slice(start, end), folds), start, end })
    start = end
  }
  const whole = foldText(chunk)
  return found.map(({ folded }) => folded).join('') === whole
    ? found
    : [{ folded: whole, start: 0, end: chunk.length }]
}

/** Where a letter ends with its marks. Those of ASCII take none in NFC but what falls away. */
function letterEnd(chunk: string, start: number): number {
  const code = chunk.codePointAt(start) ?? 0
  let end = start + lengthOf(code)
  if (code < firstAccent) return end
  while (end < chunk.length) {
    const next = chunk.codePointAt(end) ?? 0
    if (next < firstAccent || !isAccent.test(String.fromCodePoint(next))) return end
    end += lengthOf(next)
  }
  return end
}

// U+0300: before it there is no mark.
const firstAccent = 0x300

function lengthOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** A text has few different letters. */
function foldOnce(piece: string, folds: Map<string, string>): string {
  const known = folds.get(piece)
  if (known !== undefined) return known
  const folded = foldText(piece)
  folds.set(piece, folded)
  return folded
}
