import { mostExtracted } from '../ports/index.ts'

/** What was read as every extraction gives it: no control characters, blanks and blank branches single, cut to `mostExtracted` between two characters; null for nothing. */
export function plainText(read: string): string | null {
  // More than this is cut off in any case: a character has at least one byte.
  const start = read.slice(0, mostRead).toWellFormed()
  const tidy = start
    .replace(controls, ' ')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // What is tidy already is no match: to replace each blank of a book by itself takes 100 ms.
    .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/g, ' ')
    .replace(/ \n ?|\n /g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return tidy === '' ? null : cut(tidy)
}

// Characters: blanks that become one count here, and a quarter more leaves room for most tables. Each takes 10 ns, with nothing else going on.
const mostRead = 1.25 * mostExtracted

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g

function cut(text: string): string {
  // No character has more than three bytes in UTF-8 for each of its places here.
  if (text.length * 3 <= mostExtracted) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostExtracted))
  return text.slice(0, read)
}
