import { foldText } from '../ports/index.ts'

/** A text as it is searched, which stands nowhere near as it is written. */
export interface Folded {
  readonly text: string
  /** Where in the written text the letter begins that a place of the folded one is of. */
  startOf(at: number): number
  /** Where that letter ends. */
  endOf(at: number): number
}

/** Folds a text (see `foldText`) and keeps where each of its letters comes from. The text is to be in NFC. */
export function foldWithPlaces(text: string): Folded {
  if (ascii.test(text)) return { text: text.toLowerCase(), startOf: (at) => at, endOf: (at) => at + 1 }
  return foldPieces(text)
}

const ascii = /^[\0-\x7f]*$/
// Nothing is folded across white space.
const chunks = /\s+|\S+/gu
const isMark = /\p{M}/u

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

interface Piece {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Letter by letter; where letters become another thing together (half-width kana with marks, Hangul in parts) the whole chunk is one piece. */
function piecesOf(chunk: string, folds: Map<string, string>): readonly Piece[] {
  const found: Piece[] = []
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
  if (code < firstMark) return end
  while (end < chunk.length) {
    const next = chunk.codePointAt(end) ?? 0
    if (next < firstMark || !isMark.test(String.fromCodePoint(next))) return end
    end += lengthOf(next)
  }
  return end
}

// U+0300: before it there is no mark.
const firstMark = 0x300

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
