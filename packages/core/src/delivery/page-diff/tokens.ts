import { type Element, type Node, type Parse5, attributeOf, isElement, isText } from './read-page.ts'

/** A word or a sign. Equal keys: people see the same. */
interface Word {
  readonly lead: string
  readonly text: string
  readonly key: number
  readonly box: null
}

/** An element among the words. */
export interface Box extends Content {
  readonly lead: string
  readonly text: ''
  readonly key: number
  readonly box: Element
  /** Shown or not as a whole: a picture, a drawing, a field. */
  readonly isWhole: boolean
}

/** What an element holds, in order; `lead` and `tail` are the white space before, between and after. */
export interface Content {
  readonly pieces: readonly Token[]
  readonly tail: string
}

export type Token = Word | Box

/** Gives the same number to the same text. */
type Numbering = (text: string) => number

/** A numbering that begins at 1. Cost: it keeps each text that it saw. */
export function createNumbering(): Numbering {
  const numbers = new Map<string, number>()
  return (text) => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
}

/** Shown as a whole: what is within cannot carry marks, or is not read in order. */
const wholes = new Set(
  (
    'svg math picture img video audio canvas object iframe map select textarea input meter progress ruby ' +
    'br hr wbr marquee datalist'
  ).split(' '),
)
/** What people see of elements of which not all is seen. */
const seenAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'srcset', 'alt'],
  input: ['type', 'value', 'placeholder', 'checked'],
  br: [],
  hr: [],
  wbr: [],
}

/** Reads what elements hold as pieces that can be compared. */
export function createReader(parse5: Parse5, numbering: Numbering): (element: Element) => Content {
  const keyOf = (element: Element, pieces: readonly Token[]) => {
    const name = element.tagName
    const seen = seenAttributes[name]?.map((attribute) => attributeOf(element, attribute) ?? null)
    if (!seen && wholes.has(name)) return numbering(parse5.serializeOuter(element))
    return numbering(`<${name} ${JSON.stringify(seen ?? [])}>${pieces.map(({ key }) => key).join()}`)
  }
  const boxOf = (box: Element, lead: string, isVerbatim: boolean): Box => {
    const isWhole = wholes.has(box.tagName)
    const content = isWhole ? { pieces: [], tail: '' } : read(box, isVerbatim)
    return { ...content, lead, text: '', box, isWhole, key: keyOf(box, content.pieces) }
  }
  const read = (element: Element, isVerbatim: boolean): Content => {
    const split = isVerbatim || element.tagName === 'pre' ? splitVerbatim : splitWords
    const pieces: Token[] = []
    let lead = ''
    for (const part of joined(element.childNodes)) {
      if (typeof part !== 'string') {
        pieces.push(boxOf(part, lead, split === splitVerbatim))
        lead = ''
        continue
      }
      const { words, tail } = split(part)
      for (const word of words) pieces.push({ ...word, key: numbering(word.text), box: null })
      lead = tail
    }
    return { pieces, tail: lead }
  }
  return (element) => read(element, false)
}

/** Elements and the text between them, each text in one. */
function joined(nodes: readonly Node[]): (string | Element)[] {
  const parts: (string | Element)[] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    if (isElement(node)) parts.push(node)
    else if (!isText(node)) continue
    else if (typeof last === 'string') parts[parts.length - 1] = last + node.value
    else parts.push(node.value)
  }
  return parts
}

/** Text in pieces: each a word or a sign with the white space before it, and what is left at the end. */
interface SplitText {
  readonly words: readonly { readonly lead: string; readonly text: string }[]
  readonly tail: string
}

const blanks = String.raw`[ \t\n\f]+`
const word = String.raw`[\p{L}\p{M}\p{N}_]+`
const sign = String.raw`[^ \t\n\f\p{L}\p{M}\p{N}_]`
const piece = new RegExp(`${blanks}|${word}|${sign}`, 'gu')
const verbatimPiece = new RegExp(String.raw`\n|[ \t\f]+|${word}|${sign}`, 'gu')

/** Scripts without spaces between words, and pictures that are made of several characters. */
const needsSegmenter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/u

/** Splits text into words, in every script. Nothing is lost: the pieces in their order are the text. */
export function splitWords(text: string): SplitText {
  const words: { lead: string; text: string }[] = []
  let lead = ''
  for (const part of partsOf(text, piece))
    if (isBlank(part)) lead += part
    else {
      words.push({ lead, text: part })
      lead = ''
    }
  return { words, tail: lead }
}

/** The same where white space is seen as it is written: it is words of its own. */
export function splitVerbatim(text: string): SplitText {
  return { words: partsOf(text, verbatimPiece).map((part) => ({ lead: '', text: part })), tail: '' }
}

function partsOf(text: string, pattern: RegExp): readonly string[] {
  const rough = text.match(pattern) ?? []
  if (!needsSegmenter.test(text)) return rough
  // The words of ICU's dictionaries; the locale decides nothing there.
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment).flatMap((segment) =>
    isBlank(segment.slice(0, 1)) ? (segment.match(pattern) ?? []) : [segment],
  )
}

function isBlank(text: string): boolean {
  return /^[ \t\n\f]/.test(text)
}
