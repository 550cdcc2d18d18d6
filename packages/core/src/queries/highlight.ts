import type { Highlight } from '@quire/contract'
import { escaped } from '../call/html.ts'
import { withFewMarks, type Passage, type TextQuery, type TextTerm } from '../ports/index.ts'
import { marksIn, type Span } from './marks.ts'

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
    const fragments = fragmentsOf(withFewMarks(read).normalize('NFC'), terms)
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
    const marks = marksNear(text, start, terms)
    while (fragments.length < mostFragments) {
      const first = marks.find((mark) => mark.start >= Math.max(from, start))
      if (!first || first.start >= start + window) break
      const part = fragmentAround(text, { marks, first, from })
      fragments.push(marked(text, part, marks))
      from = part.end
    }
  }
  return fragments
}

/** What the terms cover from a place on, and some way around. */
function marksNear(text: string, start: number, terms: readonly TextTerm[]): Span[] {
  const from = letterBefore(text, Math.max(0, start - around))
  const part = text.slice(from, letterBefore(text, start + window + around))
  return marksIn(part, terms).map((mark) => ({ start: from + mark.start, end: from + mark.end }))
}

interface Wanted {
  readonly marks: readonly Span[]
  /** The first mark that the fragment holds. */
  readonly first: Span
  /** Where the fragment before ended. */
  readonly from: number
}

function fragmentAround(text: string, { marks, first, from }: Wanted): Span {
  const start = startNear(text, Math.max(from, first.start - lead), first.start)
  const most = letterBefore(text, Math.min(text.length, first.start + longestFragment))
  const usual = endNear(text, Math.max(start + fragmentLength, first.end), first.end)
  const across = marks.find((mark) => mark.start < usual && mark.end > usual)
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

function marked(text: string, part: Span, marks: readonly Span[]): string {
  let html = part.start > 0 ? '…' : ''
  let at = part.start
  for (const { start, end } of marks) {
    if (start < at || start >= part.end) continue
    const until = Math.min(end, part.end)
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, until))}</mark>`
    at = until
  }
  return `${html}${escaped(text.slice(at, part.end))}${part.end < text.length ? '…' : ''}`
}
