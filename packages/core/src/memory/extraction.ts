import { mostExtracted, plainText, type Bytes, type Extraction } from '../ports/index.ts'

/** A fake for browsers and for tests without parsers: it reads files of plain text in UTF-8, and finds nothing in all others. */
export function fakeExtraction(): Extraction {
  return {
    async extract(source, { mimeType }) {
      return mimeType === 'text/plain' ? plainText(await firstText(await source())) : null
    },
  }
}

async function firstText(bytes: Bytes): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > mostExtracted) break
  }
  return text + decoder.decode()
}
