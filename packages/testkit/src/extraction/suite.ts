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

/** Makes the extraction that one test asks. */
export type OpenExtraction = () => Extraction

/** Declares every law that all extractions must keep, a fake that reads plain text alone among them. */
export function extractionSuite(name: string, open: OpenExtraction): void {
  describe(`the extraction ${name}`, () => {
    textLaws(open)
    boundLaws(open)
  })
}

function textLaws(open: OpenExtraction): void {
  const textOf = (text: string) => open().extract(piecesOf(encode(text)), plain)

  it('gives the text of a plain text, in whatever pieces it comes', async () => {
    const text = 'Grüße aus Łódź: 雨の日 🌧️'
    const extraction = open()
    const law = fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (length) => {
      expect(await extraction.extract(piecesOf(encode(text), length), plain)).toBe(text)
    })
    await fc.assert(law, { numRuns: 20 })
  })

  it('leaves out control characters, and makes blanks and blank lines single', async () => {
    expect(await textOf('\ufeff one\0two \t three \r\n four\r\n\r\n\r\n\u2028five \n')).toBe(
      'one two three\nfour\n\nfive',
    )
  })

  it.each(['', ' \t\r\n\u00a0'])('gives null for %j, which says nothing', async (text) => {
    expect(await textOf(text)).toBeNull()
  })

  it('gives each of many at once its own', async () => {
    const extraction = open()
    const names = Array.from({ length: 20 }, (_, index) => `file ${index}`)
    const texts = names.map((name) => extraction.extract(piecesOf(encode(name)), plain))
    expect(await Promise.all(texts)).toEqual(names)
  })
}

function boundLaws(open: OpenExtraction): void {
  it('cuts a long text between two characters, and does not read to its end', async () => {
    const text = await open().extract(endless('🌧雨é. '), { ...plain, size: 5 * 1024 ** 3 })
    const size = encode(text ?? '').length
    expect(text).toMatch(/^(🌧雨é\. )+(🌧(雨(é\.?)?)?)?$/)
    expect(size).toBeLessThanOrEqual(mostExtracted)
    expect(size).toBeGreaterThan(mostExtracted - 10)
  })

  it('passes on what the source throws, and goes on after it', async () => {
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
    'gives null or refuses, and never fails, for anything called %s',
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

/** A source that gives so many bytes at a time. */
function piecesOf(bytes: Uint8Array, length = 64 * 1024): () => Promise<Bytes> {
  return async () => pieces(bytes, length)
}

async function* pieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.slice(start, start + length)
}

/** A source that would fill any memory. */
function endless(text: string): () => Promise<Bytes> {
  const piece = encode(text.repeat(1000))
  return async () =>
    (async function* () {
      for (let given = 0; given < 5 * 1024 ** 3; given += piece.length) yield piece
    })()
}
