/**
 * The text that bytes are: by their mark (UTF-8, UTF-16), by the encoding that the text itself names, as UTF-8, and as windows-1252 where
 * that looks like text; null for what is no text. `bytes` may end within a character.
 */
export function decodeText(bytes: Uint8Array, named?: string): string | null {
  const text = byByteOrderMark(bytes) ?? byName(bytes, named) ?? asUtf8(bytes) ?? asWindows(bytes)
  return text !== null && isText(text) ? text : null
}

/** TextDecoder takes a mark away by itself. */
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
    // A name that nobody knows.
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

/** Of all bytes some text can be made: one of Latin letters has few above 127. In the encodings of other scripts most are. */
function asWindows(bytes: Uint8Array): string | null {
  let above = 0
  // A tenth of what an iterator takes for 2 MiB.
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 127) above += 1
  return above * 100 > bytes.length * mostAbove ? null : decode(bytes, new TextDecoder('windows-1252'))
}

// Per cent. French and Vietnamese have at most 15, Russian in windows-1251 some 80.
const mostAbove = 30

/** `stream`: the rest of a character that was cut is left out, not made a character of its own. */
function decode(bytes: Uint8Array, decoder: TextDecoder): string {
  return decoder.decode(bytes, { stream: true })
}

/** More control characters than one in a hundred, and a few, no text has. */
function isText(text: string): boolean {
  const sample = text.slice(0, 64 * 1024)
  const controls = sample.match(controlCharacters)?.length ?? 0
  return controls <= 2 + sample.length / 100
}

// oxlint-disable-next-line no-control-regex -- these are what is counted
const controlCharacters = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/g
