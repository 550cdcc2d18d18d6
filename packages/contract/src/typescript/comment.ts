/**
 * A documentation comment with the given lines, without empty ones; empty if none are left. The
 * text cannot end the comment.
 */
export function comment(lines: readonly string[], indent = ''): string {
  const [first, ...others] = lines.map(oneLine).filter(Boolean)
  if (first === undefined) return ''
  if (others.length === 0) return `${indent}/** ${first} */\n`
  return [
    `${indent}/**`,
    ...[first, ...others].map((line) => `${indent} * ${line}`),
    `${indent} */`,
    '',
  ].join('\n')
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
