/** Text in pieces: each a word or a sign with the white space before it, and what is left at the end. */
export interface SplitText {
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
