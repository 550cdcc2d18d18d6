import { QuireError } from '@quire/contract'

/** How much of a body is read, and for how long. */
export interface TextLimits {
  readonly bytes: number
  /** Milliseconds. */
  readonly ms: number
}

/**
 * The text of a body; empty when there is none. Errors: `too_large`; `invalid` for bytes that are
 * not UTF-8, and for a body that breaks off or does not arrive in time.
 */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  { bytes, ms }: TextLimits,
): Promise<string> {
  if (!body) return ''
  const iterator = body[Symbol.asyncIterator]()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(ms)), ms)
  })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), late])
      if (done) break
      size += value.length
      if (size > bytes) throw new QuireError('too_large', 'The body is too large.')
      chunks.push(value)
    }
  } catch (error) {
    void iterator.return?.().catch(() => undefined)
    if (error instanceof QuireError) throw error
    throw new QuireError('invalid', 'The body broke off before its end.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
  return textOf(joined(chunks, size))
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0]
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new QuireError('invalid', 'The body is not UTF-8 text.')
  }
}

function tooLate(ms: number): QuireError {
  return new QuireError('invalid', `The body did not arrive within ${ms / 1000} seconds.`)
}
