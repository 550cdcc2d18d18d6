import { mostExtracted } from '../ports/index.ts'

/**
 * Cleans extracted text; every extraction returns it in this form. Control characters become
 * spaces, runs of spaces become one, runs of blank lines become one, and the text is cut to
 * `mostExtracted` bytes between two characters. Null if nothing remains.
 */
export function plainText(read: string): string | null {
  // Anything beyond this would be cut off in any case: a character has at least one byte.
  const start = read.slice(0, mostRead).toWellFormed()
  const tidy = start
    .replace(controls, ' ')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // Does not match what is already clean: replacing every space of a book takes 100 ms.
    .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/g, ' ')
    .replace(/ \n ?|\n /g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return tidy === '' ? null : cut(tidy)
}

// Characters: the quarter leaves room for runs of spaces that become one, as in most tables. Each
// character takes about 10 ns.
const mostRead = 1.25 * mostExtracted

// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g

function cut(text: string): string {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (text.length * 3 <= mostExtracted) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostExtracted))
  return text.slice(0, read)
}
