import { QuireError, type BytesIn } from '@quire/contract'
import { invalid } from './check-input.ts'
import { iterated } from './served-bytes.ts'

/** The text of a file in UTF-8. Errors: `too_large`; `invalid` for bytes that are not UTF-8. */
export async function textOfFile(
  file: BytesIn,
  { most, what }: { most: number; what: string },
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parts: string[] = []
  let size = 0
  for await (const chunk of iterated(file.stream())) {
    size += chunk.length
    if (size > most) throw new QuireError('too_large', `${what} have at most ${most} bytes: split the file.`)
    parts.push(decoded(decoder, chunk))
  }
  return parts.join('') + decoded(decoder)
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw invalid([{ path: 'file', message: 'is not UTF-8' }])
  }
}
