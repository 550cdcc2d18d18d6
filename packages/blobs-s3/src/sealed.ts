import { createHash } from 'node:crypto'

/** A text with its own hash before it, so that one that changed on its way or in the store is none. */
export function seal(text: string): Buffer {
  return Buffer.from(`${hashOf(text)} ${text}`)
}

/** The text; null when it is not as it was sealed. */
export function unseal(bytes: Buffer): string | null {
  const sealed = bytes.toString()
  const text = sealed.slice(hashLength + 1)
  return sealed.slice(0, hashLength) === hashOf(text) ? text : null
}

const hashLength = 64

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
