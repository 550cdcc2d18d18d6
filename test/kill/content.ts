import { createHash } from 'node:crypto'

/** What one request writes. The key is in it, so that every version that is found tells which request it came from. */
export interface Content {
  readonly name: string
  readonly fields: { readonly key: string; readonly body: string; readonly size: number }
}

const prose = 'Oak galls, iron, gum and patience make an ink that a thousand years do not fade. '

/** The content of a request: some hundred bytes to some pages of the database. */
export function contentOf(key: string): Content {
  const size = Math.floor(200 + Math.random() ** 3 * 30_000)
  // Not in the name: of that the slug would keep the first.
  const body = prose.repeat(size / prose.length) + wordOf(key)
  return { name: `Write ${key}`, fields: { key, body, size } }
}

/** A word that nothing but what this request writes is found by, while that is what the item says. */
export function wordOf(key: string): string {
  return `word${key.replaceAll('-', 'x')}`
}

/** SHA-256 of a content, of what was sent as of what is found. */
export function hashOf({ name, fields }: Content): string {
  const { key, body, size } = fields
  return createHash('sha256')
    .update(JSON.stringify([name, key, body, size]))
    .digest('hex')
}
