import { highlightDifferences } from '../delivery/page-diff/highlight-differences.ts'
import { plainText } from '../adapters/plain-text.ts'
import { type PageDiffs, mostExtracted, type Bytes, type Extraction } from '../ports/index.ts'

/**
 * Computes page diffs in the caller's thread, for browsers and tests. There is no time limit beyond
 * the bounds of the algorithm.
 */
export function inlinePageDiffs(): PageDiffs {
  return { state: highlightDifferences, close: async () => undefined }
}

/**
 * A fake for browsers and for tests without parsers: it reads plain text files in UTF-8 and finds
 * no text in any others.
 */
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
