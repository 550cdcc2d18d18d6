import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  type Bytes,
  type Extraction,
  ExtractionRefused,
  extractedTypes,
  type FileKind,
  mostExtracted,
} from '@quire/core/ports'

/** Opens the extraction for one test. */
export type OpenExtraction = () => Extraction

/** Declares the tests that every extraction must pass, even a fake that only reads plain text. */
export function extractionSuite(name: string, open: OpenExtraction): void {
  describe(`the extraction ${name}`, () => {
    textLaws(open)
    boundLaws(open)
  })
}

function textLaws(open: OpenExtraction): void {
  const textOf = (text: string) => open().extract(piecesOf(encode(text)), plain)

  it('returns plain text, however it is split into chunks', async () => {
    const text = 'Grüße aus Łódź: 雨の日 🌧️'
    const extraction = open()
    const law = fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (length) => {
      expect(await extraction.extract(piecesOf(encode(text), length), plain)).toBe(text)
    })
    await fc.assert(law, { numRuns: 20 })
  })

  it('drops control characters, and collapses spaces and blank lines', async () => {
    expect(await textOf('\ufeff one\0two \t three \r\n four\r\n\r\n\r\n\u2028five \n')).toBe(
      'one two three\nfour\n\nfive',
    )
  })

  it.each(['', ' \t\r\n\u00a0'])('returns null for %j, which has no text', async (text) => {
    expect(await textOf(text)).toBeNull()
  })

  it('returns the right text to each of many concurrent calls', async () => {
    const extraction = open()
    const names = Array.from({ length: 20 }, (_, index) => `file ${index}`)
    const texts = names.map((name) => extraction.extract(piecesOf(encode(name)), plain))
    expect(await Promise.all(texts)).toEqual(names)
  })
}

function boundLaws(open: OpenExtraction): void {
  it('cuts a long text between characters, without reading all of it', async () => {
    const text = await open().extract(endless('🌧雨é. '), { ...plain, size: 5 * 1024 ** 3 })
    const size = encode(text ?? '').length
    expect(text).toMatch(/^(🌧雨é\. )+(🌧(雨(é\.?)?)?)?$/)
    expect(size).toBeLessThanOrEqual(mostExtracted)
    expect(size).toBeGreaterThan(mostExtracted - 10)
  })

  it("throws the source's error, and works again afterwards", async () => {
    const extraction = open()
    const lost = new Error('lost')
    const breaking = async function* () {
      yield encode('some')
      throw lost
    }
    await expect(extraction.extract(async () => breaking(), plain)).rejects.toBe(lost)
    expect(await extraction.extract(piecesOf(encode('more')), plain)).toBe('more')
  })

  it.each(extractedTypes)(
    'returns null or refuses, and never fails, for any bytes declared as %s',
    async (mimeType) => {
      const extraction = open()
      const law = fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        const kind = { mimeType, size: bytes.length }
        const text = await extraction.extract(piecesOf(bytes), kind).catch((error: unknown) => {
          if (error instanceof ExtractionRefused) return null
          throw error
        })
        expect(text).not.toBe('')
      })
      await fc.assert(law, { numRuns: 30 })
    },
  )
}

const plain: FileKind = { mimeType: 'text/plain', size: 100 }

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A source that yields chunks of `length` bytes. */
function piecesOf(bytes: Uint8Array, length = 64 * 1024): () => Promise<Bytes> {
  return async () => pieces(bytes, length)
}

async function* pieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.slice(start, start + length)
}

/** A source that is too large for memory. */
function endless(text: string): () => Promise<Bytes> {
  const piece = encode(text.repeat(1000))
  return async () =>
    (async function* () {
      for (let given = 0; given < 5 * 1024 ** 3; given += piece.length) yield piece
    })()
}
