/**
 * A documentation comment with the given lines, without empty ones; empty if none are left. The
 * text cannot end the comment.
 */
export function comment(lines: readonly string[], indent = ''): string {
  return commentOf(lines.map(oneLine).filter(Boolean), indent)
}

/** The same of lines that are ready; an empty one stays. */
export function commentOf(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join(
    '\n',
  )
}

/**
 * A text on one line of a comment. Half a surrogate pair is replaced, because UTF-8 cannot hold it.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('*/', '*\\/')
    .trim()
}
