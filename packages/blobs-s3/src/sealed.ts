import { createHash } from 'node:crypto'

/** Prefixes a text with its hash, so that damage in transit or in the store is detected. */
export function seal(text: string): Buffer {
  return Buffer.from(`${hashOf(text)} ${text}`)
}

/** The sealed text; null when it was damaged. */
export function unseal(bytes: Buffer): string | null {
  const sealed = bytes.toString()
  const text = sealed.slice(hashLength + 1)
  return sealed.slice(0, hashLength) === hashOf(text) ? text : null
}

const hashLength = 64

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
