/**
 * A list as JSON, for a statement to take apart. What no column holds, half of a pair of surrogates or a NUL, becomes U+FFFD: a database may refuse
 * to look for it.
 */
export function listText(list: readonly (string | number | readonly string[])[]): string {
  const text = JSON.stringify(list)
  return /\\u(?:d|0000)/.test(text) ? JSON.stringify(list, wellFormed) : text
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}
