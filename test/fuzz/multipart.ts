import type { SentFile } from './files.ts'

/** One part of a form. */
export interface Part {
  /** Header lines without line ends. */
  readonly head: readonly string[]
  readonly content: Buffer
}

/** The delimiter between the parts. */
export const boundary = 'quire-fuzz-7MA4YWxkTrZu0gW'

/** The media type of the form. */
export const formType = `multipart/form-data; boundary=${boundary}`

/** The part with the JSON. */
export function dataPart(text: string): Part {
  return {
    head: ['Content-Disposition: form-data; name="data"', 'Content-Type: application/json'],
    content: Buffer.from(text),
  }
}

/**
 * The part with the file. Its name is escaped like in browsers (WHATWG HTML, multipart/form-data).
 */
export function filePart({ name, type, bytes }: SentFile): Part {
  return rawFilePart(name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A'), {
    type,
    bytes,
  })
}

/** The same with an unescaped name, even if it breaks the header. */
export function rawFilePart(name: string, { type, bytes }: Pick<SentFile, 'type' | 'bytes'>): Part {
  const head = [`Content-Disposition: form-data; name="file"; filename="${name}"`]
  return { head: type === '' ? head : [...head, `Content-Type: ${type}`], content: bytes }
}

/** The encoded form. */
export function formOf(parts: readonly Part[]): Buffer {
  return Buffer.concat([...parts.map(written), Buffer.from(`--${boundary}--\r\n`)])
}

function written({ head, content }: Part): Buffer {
  const start = Buffer.from(`--${boundary}\r\n${head.join('\r\n')}\r\n\r\n`)
  return Buffer.concat([start, content, Buffer.from('\r\n')])
}
