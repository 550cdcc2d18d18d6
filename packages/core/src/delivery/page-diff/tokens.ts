import { type Element, type Node, type Parse5, attributeOf, isElement, isText } from './read-page.ts'

/** A word or a sign. Tokens with equal keys look the same. */
interface Word {
  readonly lead: string
  readonly text: string
  readonly key: number
  readonly box: null
}

/** An element between words. */
export interface Box extends Content {
  readonly lead: string
  readonly text: ''
  readonly key: number
  readonly box: Element
  /** Compared only as a whole: a picture, a drawing, a field. */
  readonly isWhole: boolean
}

/**
 * The content of an element, in order. White space is in the `lead` of the next token, or in `tail`
 * at the end.
 */
export interface Content {
  readonly tokens: readonly Token[]
  readonly tail: string
}

export type Token = Word | Box

/** Returns the same number for the same text. */
type Numbering = (text: string) => number

/** Creates a numbering that starts at 1. Memory: it stores each text. */
export function createNumbering(): Numbering {
  const numbers = new Map<string, number>()
  return (text) => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
}

/**
 * Elements compared as a whole, because their content cannot have highlights or is not read in
 * order.
 */
const wholeElements = new Set(
  (
    'svg math picture img video audio canvas object iframe map select textarea input meter progress ruby ' +
    'br hr wbr marquee datalist'
  ).split(' '),
)
/** The attributes that are visible, for elements of which not everything is visible. */
const visibleAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'srcset', 'alt'],
  input: ['type', 'value', 'placeholder', 'checked'],
  br: [],
  hr: [],
  wbr: [],
}

/** Creates a function that reads the content of an element as tokens to compare. */
export function createReader(parse5: Parse5, numbering: Numbering): (element: Element) => Content {
  const keyOf = (element: Element, tokens: readonly Token[]) => {
    const name = element.tagName
    const seen = visibleAttributes[name]?.map((attribute) => attributeOf(element, attribute) ?? null)
    if (!seen && wholeElements.has(name)) return numbering(parse5.serializeOuter(element))
    return numbering(`<${name} ${JSON.stringify(seen ?? [])}>${tokens.map(({ key }) => key).join()}`)
  }
  const boxOf = (box: Element, lead: string, isVerbatim: boolean): Box => {
    const isWhole = wholeElements.has(box.tagName)
    const content = isWhole ? { tokens: [], tail: '' } : read(box, isVerbatim)
    return { ...content, lead, text: '', box, isWhole, key: keyOf(box, content.tokens) }
  }
  const read = (element: Element, isVerbatim: boolean): Content => {
    const split = isVerbatim || element.tagName === 'pre' ? splitVerbatim : splitWords
    const tokens: Token[] = []
    let lead = ''
    for (const part of joinTexts(element.childNodes)) {
      if (typeof part !== 'string') {
        tokens.push(boxOf(part, lead, split === splitVerbatim))
        lead = ''
        continue
      }
      const { words, tail } = split(part)
      for (const word of words) tokens.push({ ...word, key: numbering(word.text), box: null })
      lead = tail
    }
    return { tokens, tail: lead }
  }
  return (element) => read(element, false)
}

/** The elements and the text between them. Adjacent text nodes are joined. */
function joinTexts(nodes: readonly Node[]): (string | Element)[] {
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

/**
 * The words and signs of a text, each with the white space before it, and the white space at the
 * end.
 */
interface SplitText {
  readonly words: readonly { readonly lead: string; readonly text: string }[]
  readonly tail: string
}

const blanks = String.raw`[ \t\n\f]+`
const word = String.raw`[\p{L}\p{M}\p{N}_]+`
const sign = String.raw`[^ \t\n\f\p{L}\p{M}\p{N}_]`
const tokenPattern = new RegExp(`${blanks}|${word}|${sign}`, 'gu')
const verbatimTokenPattern = new RegExp(String.raw`\n|[ \t\f]+|${word}|${sign}`, 'gu')

/** Scripts without spaces between words, and emoji that consist of several characters. */
const needsSegmenter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/u

/** Splits text into words, in every script. Nothing is lost: joined, the parts are the text. */
export function splitWords(text: string): SplitText {
  const words: { lead: string; text: string }[] = []
  let lead = ''
  for (const part of partsOf(text, tokenPattern))
    if (isBlank(part)) lead += part
    else {
      words.push({ lead, text: part })
      lead = ''
    }
  return { words, tail: lead }
}

/** Splits text whose white space is visible, as in `pre`. White space becomes words of its own. */
export function splitVerbatim(text: string): SplitText {
  return { words: partsOf(text, verbatimTokenPattern).map((part) => ({ lead: '', text: part })), tail: '' }
}

function partsOf(text: string, pattern: RegExp): readonly string[] {
  const rough = text.match(pattern) ?? []
  if (!needsSegmenter.test(text)) return rough
  // Uses ICU's dictionaries, for which the locale does not matter.
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment).flatMap((segment) =>
    isBlank(segment.slice(0, 1)) ? (segment.match(pattern) ?? []) : [segment],
  )
}

function isBlank(text: string): boolean {
  return /^[ \t\n\f]/.test(text)
}
