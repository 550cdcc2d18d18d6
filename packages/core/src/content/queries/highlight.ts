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

// Characters of an item to search for a few words, about 10 ms of work. At twice, matches later in
// long files are marked too, and it takes twice as long. Each may be compared with all words.
const maxCharacters = 100_000
const fewWords = 8

// Per text.
const maxFragments = 3

// Characters: the usual length of a fragment, how many of them come before its first highlight, and
// the length to which highlights may extend it.
const fragmentLength = 160
const lead = 40
const maxFragmentLength = 400

/**
 * Finds the words of a search in the texts of an item, with the rules of the search itself. Returns
 * fragments of escaped HTML with `<mark>` around each match and `…` where the text continues.
 * Leaves out texts without a match. Covers only the first 100 000 characters of all texts together,
 * and fewer for more than eight words.
 */
export function highlightsOf(passages: readonly Passage[], { terms }: TextQuery): Highlight[] {
  const wordCount = terms.reduce((sum, { words }) => sum + words.length, 0)
  let left = Math.floor(maxCharacters * Math.min(1, fewWords / wordCount))
  return passages.flatMap(({ path, text }) => {
    const read = cutText(text, left)
    left -= read.length
    const fragments = fragmentsOf(withFewAccents(read).normalize('NFC'), terms)
    return fragments.length > 0 ? [{ path, fragments }] : []
  })
}

// Characters of a long text that are processed together, and the margin on both sides, which is
// longer than any search term. At twice, more text around a match is folded letter by letter; at
// half, more of it is folded twice.
const windowLength = 2048
const margin = 600

function fragmentsOf(text: string, terms: readonly TextTerm[]): string[] {
  const fragments: string[] = []
  let from = 0
  for (let start = 0; start < text.length && fragments.length < maxFragments; start += windowLength) {
    const highlights = highlightsNear(text, start, terms)
    while (fragments.length < maxFragments) {
      const first = highlights.find((highlight) => highlight.start >= Math.max(from, start))
      if (!first || first.start >= start + windowLength) break
      const part = fragmentWith(text, { highlights, first, from })
      fragments.push(marked(text, part, highlights))
      from = part.end
    }
  }
  return fragments
}

/** The matches of the terms in the window from a position on, and in the margins around it. */
function highlightsNear(text: string, start: number, terms: readonly TextTerm[]): Span[] {
  const from = letterBefore(text, Math.max(0, start - margin))
  const part = text.slice(from, letterBefore(text, start + windowLength + margin))
  return highlightsIn(part, terms).map((highlight) => ({
    start: from + highlight.start,
    end: from + highlight.end,
  }))
}

interface HighlightOptions {
  readonly highlights: readonly Span[]
  /** The first highlight in the fragment. */
  readonly first: Span
  /** The end of the previous fragment. */
  readonly from: number
}

function fragmentWith(text: string, { highlights, first, from }: HighlightOptions): Span {
  const start = startNear(text, Math.max(from, first.start - lead), first.start)
  const max = letterBefore(text, Math.min(text.length, first.start + maxFragmentLength))
  const usual = endNear(text, Math.max(start + fragmentLength, first.end), first.end)
  const across = highlights.find((highlight) => highlight.start < usual && highlight.end > usual)
  return { start, end: Math.min(max, across?.end ?? usual) }
}

/** The start of the first word between two positions. If there is none, the first position. */
function startNear(text: string, from: number, to: number): number {
  if (from === 0) return 0
  const space = text.slice(from - 1, to).search(/\s\S/u)
  return space >= 0 ? from + space : letterBefore(text, from)
}

// Characters before the end of a fragment in which the end of a word is looked for.
const tail = 20

/** The end of a word shortly before a position, but not before `least`. */
function endNear(text: string, at: number, least: number): number {
  if (at >= text.length) return text.length
  const from = Math.max(least, at - tail)
  const space = text.slice(from, at + 1).search(/\s\S*$/u)
  return space >= 0 ? from + space : Math.max(least, letterBefore(text, at))
}

/** The position, moved back by one if it would split a surrogate pair. */
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

/** A range of a text; `end` is exclusive. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Finds the ranges that the terms match in a text in NFC. They are in order and do not overlap. */
function highlightsIn(text: string, terms: readonly TextTerm[]): Span[] {
  if (!mayMatch(text, terms)) return []
  const folded = foldWithPositions(text)
  const positions = wordPositionsOf(folded.text)
  const words = positions.map(({ word }) => word)
  const found = terms.flatMap((term) => matchesOf(term, words, positions))
  return joinOverlaps(found.map((span) => originalSpan(folded, span)))
}

/**
 * Whether a text contains the letters of a term at all. This is a cheap test, and most parts of a
 * long text contain none.
 */
function mayMatch(text: string, terms: readonly TextTerm[]): boolean {
  const folded = foldText(text)
  return terms.some(({ words }) => words.every((word) => folded.includes(word)))
}

function matchesOf(term: TextTerm, words: readonly string[], positions: readonly WordPosition[]): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < words.length; at++) {
    const span = standsAt(words, at, term) && matchAt(positions, at, term)
    if (span) spans.push(span)
  }
  return spans
}

/**
 * The range of a match: whole words, but only the letters searched for in scripts without spaces
 * between words.
 */
function matchAt(positions: readonly WordPosition[], at: number, { words, prefix }: TextTerm): Span | null {
  const first = positions[at]
  const last = positions[at + words.length - 1]
  if (!first || !last) return null
  const sought = words.at(-1) ?? ''
  const end = prefix && last.isUnspaced ? last.start + sought.length : last.end
  return { start: first.start, end }
}

function originalSpan(folded: FoldedText, { start, end }: Span): Span {
  return { start: folded.startOf(start), end: folded.endOf(end - 1) }
}

function joinOverlaps(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1)
    if (before && span.start <= before.end)
      joined[joined.length - 1] = { start: before.start, end: Math.max(before.end, span.end) }
    else joined.push(span)
  }
  return joined
}

/** A text in the form in which it is searched, with the position of each letter in the original. */
interface FoldedText {
  readonly text: string
  /** Where the letter at a position of the folded text starts in the original. */
  startOf(at: number): number
  /** Where that letter ends in the original. */
  endOf(at: number): number
}

/**
 * Folds a text (see `foldText`) and records the original position of each letter. The text must be
 * in NFC.
 */
function foldWithPositions(text: string): FoldedText {
  if (ascii.test(text)) return { text: text.toLowerCase(), startOf: (at) => at, endOf: (at) => at + 1 }
  return foldPieces(text)
}

const ascii = /^[\0-\x7f]*$/
// Folding never joins letters across white space.
const chunks = /\s+|\S+/gu
const isAccent = /\p{M}/u

function foldPieces(text: string): FoldedText {
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

/** A part of a chunk with its folded form. */
interface FoldedPart {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/**
 * Folds a chunk letter by letter. If letters fold differently together than alone (half-width kana
 * with marks, decomposed Hangul), the whole chunk is one part.
 */
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

/**
 * The end of a letter with its combining marks. ASCII letters in NFC have only marks that folding
 * removes.
 */
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

// U+0300: the first combining mark.
const firstAccent = 0x300

function lengthOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** Folds a letter with a cache, because a text has few different letters. */
function foldOnce(piece: string, folds: Map<string, string>): string {
  const known = folds.get(piece)
  if (known !== undefined) return known
  const folded = foldText(piece)
  folds.set(piece, folded)
  return folded
}
