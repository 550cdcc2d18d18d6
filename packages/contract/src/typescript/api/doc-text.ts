import { commentOf, oneLine } from '../comment.ts'

const width = 100

/**
 * A documentation comment. Each part begins a line and is wrapped; empty parts are left out, and
 * null is an empty line.
 */
export function docText(parts: readonly (string | null)[], indent: string): string {
  const lines = parts
    .map((part) => (part === null ? null : oneLine(part)))
    .filter((part) => part !== '')
    .flatMap((part) => (part === null ? [''] : wrapped(part, width - indent.length)))
  // One empty line between two paragraphs, none at the ends.
  const kept = lines.filter(
    (line, index) => line !== '' || (index > 0 && index < lines.length - 1 && lines[index - 1] !== ''),
  )
  return commentOf(kept, indent)
}

/** The lines of a text. Those after the first of a tag or of an entry of a list are indented. */
function wrapped(text: string, most: number): string[] {
  const hanging = /^[@-]/.test(text) ? '  ' : ''
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > most) {
      lines.push(line)
      line = hanging + word
    } else line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}
