/** A documentation comment of some lines, empty ones left out; nothing where none is left. What stands in it cannot end it. */
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

/** A text as a part of one line of a comment. Half of a pair of surrogates would not survive the way into a file. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('*/', '*\\/')
    .trim()
}
