import { type Element, type Node, type Parse5, attributeOf, isElement, isText } from './tree.ts'
import { splitVerbatim, splitWords } from './words.ts'

/** A word or a sign. Equal keys: people see the same. */
export interface Word {
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
  readonly pieces: readonly Piece[]
  readonly tail: string
}

export type Piece = Word | Box

/** Gives the same number to the same text. */
export type Numbering = (text: string) => number

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
  const keyOf = (element: Element, pieces: readonly Piece[]) => {
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
    const pieces: Piece[] = []
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
