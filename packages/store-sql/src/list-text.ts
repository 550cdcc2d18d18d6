/**
 * A list as JSON, for a statement to unpack. Lone surrogates and NUL become U+FFFD: no column
 * contains them, and some databases refuse to search for them.
 */
export function listText(list: readonly (string | number | readonly string[])[]): string {
  const text = JSON.stringify(list)
  return /\\u(?:d|0000)/.test(text) ? JSON.stringify(list, wellFormed) : text
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}
