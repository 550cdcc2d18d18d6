/** Replaces texts everywhere in a value. */
export function replaced(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replacedIn(value, texts)
  if (value instanceof Blob || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((member) => replaced(member, texts))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, texts)]))
}

/** Replaces parts of a text. */
export function replacedIn(text: string, texts: ReadonlyMap<string, string>): string {
  let result = text
  for (const [from, to] of texts) result = result.replaceAll(from, to)
  return result
}

/** A text of the same format that identifies nothing: its last letters and digits are different. */
export function standInFor(text: string): string {
  return text.slice(0, -6) + text.slice(-6).replaceAll(/[0-9A-Za-z]/g, another)
}

function another(character: string): string {
  const start = /\d/.test(character) ? '0' : /[A-Z]/.test(character) ? 'A' : 'a'
  const size = start === '0' ? 10 : 26
  const from = start.charCodeAt(0)
  return String.fromCharCode(from + ((character.charCodeAt(0) - from + size / 2) % size))
}
