import { highlightDifferences } from '../delivery/page-diff/highlight-differences.ts'
import { plainText } from '../adapters/plain-text.ts'
import { type PageDiffs, mostExtracted, type Bytes, type Extraction } from '../ports/index.ts'

/** Page diffs in place, for browsers and for tests: without a limit of time but what bounds the work itself. */
export function inlinePageDiffs(): PageDiffs {
  return { state: highlightDifferences, close: async () => undefined }
}

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
