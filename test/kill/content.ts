import { createHash } from 'node:crypto'

/**
 * The content of one request. It contains the key, so that every stored version can be traced to
 * its request.
 */
export interface Content {
  readonly name: string
  readonly fields: { readonly key: string; readonly body: string; readonly size: number }
}

const prose = 'Oak galls, iron, gum and patience make an ink that a thousand years do not fade. '

/** Returns the content of a request: from some hundred bytes to several database pages. */
export function contentOf(key: string): Content {
  const size = Math.floor(200 + Math.random() ** 3 * 30_000)
  // The word is not in the name, because the slug would keep the word of the first name.
  const body = prose.repeat(size / prose.length) + wordOf(key)
  return { name: `Write ${key}`, fields: { key, body, size } }
}

/** The search word of a request. It finds the item only while the item has this content. */
export function wordOf(key: string): string {
  return `word${key.replaceAll('-', 'x')}`
}

/** SHA-256 of a content, whether sent or stored. */
export function hashOf({ name, fields }: Content): string {
  const { key, body, size } = fields
  return createHash('sha256')
    .update(JSON.stringify([name, key, body, size]))
    .digest('hex')
}
