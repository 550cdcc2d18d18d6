import type { Bytes } from '@quire/core/ports'
import { decodeText } from './decode.ts'

/**
 * Bytes of plain text to read: twice as many as are stored of it, because in UTF-16 most letters
 * take two bytes. Takes a few milliseconds.
 */
const mostRead = 2 * 1024 * 1024

/** Reads the beginning of a plain text; null when the bytes are not text. */
export async function readPlain(source: Bytes): Promise<string | null> {
  return decodeText(await beginning(source))
}

async function beginning(source: Bytes): Promise<Uint8Array> {
  const start = new Uint8Array(mostRead)
  let end = 0
  for await (const chunk of source) {
    const accepted = chunk.subarray(0, mostRead - end)
    start.set(accepted, end)
    end += accepted.length
    if (end === mostRead) break
  }
  return start.subarray(0, end)
}
