/**
 * Decodes bytes as text. Tries, in this order: the byte order mark (UTF-8, UTF-16), the encoding
 * that the text itself names, UTF-8, and windows-1252 if the result looks like text. Null for bytes
 * that are not text. `bytes` may end within a character.
 */
export function decodeText(bytes: Uint8Array, named?: string): string | null {
  const text = byByteOrderMark(bytes) ?? byName(bytes, named) ?? asUtf8(bytes) ?? asWindows(bytes)
  return text !== null && isText(text) ? text : null
}

/** TextDecoder removes a byte order mark itself. */
function byByteOrderMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return decode(bytes, new TextDecoder('utf-16le'))
  if (first === 0xfe && second === 0xff) return decode(bytes, new TextDecoder('utf-16be'))
  return first === 0xef && second === 0xbb && third === 0xbf ? decode(bytes, new TextDecoder()) : null
}

function byName(bytes: Uint8Array, named: string | undefined): string | null {
  if (named === undefined) return null
  try {
    return decode(bytes, new TextDecoder(named))
  } catch {
    // An unknown name.
    return null
  }
}

function asUtf8(bytes: Uint8Array): string | null {
  try {
    return decode(bytes, new TextDecoder('utf-8', { fatal: true }))
  } catch {
    return null
  }
}

/**
 * Any bytes can be decoded as windows-1252. Text in Latin letters has few bytes above 127; in
 * encodings of other scripts, most bytes are.
 */
function asWindows(bytes: Uint8Array): string | null {
  let above = 0
  // This takes a tenth of the time of an iterator for 2 MiB.
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 127) above += 1
  return above * 100 > bytes.length * mostAbove ? null : decode(bytes, new TextDecoder('windows-1252'))
}

// Percent. French and Vietnamese have at most 15, Russian in windows-1251 about 80.
const mostAbove = 30

/** `stream` drops an incomplete character at the end instead of replacing it. */
function decode(bytes: Uint8Array, decoder: TextDecoder): string {
  return decoder.decode(bytes, { stream: true })
}

/** Text has at most one control character in a hundred, and two more. */
function isText(text: string): boolean {
  const sample = text.slice(0, 64 * 1024)
  const controls = sample.match(controlCharacters)?.length ?? 0
  return controls <= 2 + sample.length / 100
}

// oxlint-disable-next-line no-control-regex -- it counts them
const controlCharacters = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/g
