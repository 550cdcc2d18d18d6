/**
 * The pattern for tools whose regular expressions know no Unicode properties (`\p{L}`): spectral and
 * everything in Python. Up to U+00FF it accepts the same characters, beyond that all.
 * @example portablePattern('^[^\\p{Cc}/]*$') // → '^[^\\x00-\\x1f\\x2f\\x7f-\\x9f]*$'
 */
export function portablePattern(pattern: string): string {
  const portable = pattern.replaceAll(classes, (text) =>
    text.includes(property) ? portableClass(text) : text,
  )
  if (portable.includes(property)) throw new Error(`A Unicode property outside of brackets: ${pattern}`)
  return portable
}

const property = String.raw`\p{`
const classes = /\[(?:\\.|[^\\\]])*\]/g
const lastCode = 0xff

function portableClass(text: string): string {
  const expression = new RegExp(`^${text}$`, 'u')
  const refused = Array.from({ length: lastCode + 1 }, (_, code) => code).filter(
    (code) => !expression.test(String.fromCodePoint(code)),
  )
  const isStart = (code: number) => !refused.includes(code - 1)
  const isEnd = (code: number) => !refused.includes(code + 1)
  const ends = refused.filter(isEnd)
  const ranges = refused.filter(isStart).map((start, index) => rangeText(start, ends[index] ?? start))
  return `[^${ranges.join('')}]`
}

function rangeText(start: number, end: number): string {
  return start === end ? escaped(start) : `${escaped(start)}-${escaped(end)}`
}

function escaped(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}
