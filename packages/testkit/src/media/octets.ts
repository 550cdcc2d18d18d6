export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Encodes each character as one byte, by its code up to 255. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Four bytes, big-endian. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

/** A box of ISO 14496-12: length, name, content. */
export function box(name: string, content: Uint8Array): Uint8Array {
  return concat([uint32(8 + content.length), latin1(name), content])
}
