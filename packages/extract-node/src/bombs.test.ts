import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { childrenOf, docx, memoryOf, outcomeOf } from '../test/extract.ts'
import { contentObject, deflated, pageObject, pdfOf, pdfOfPages } from '../test/pdf.ts'
import { deflatedMebibytes, deflateEnd, deflateOpen, entryOf, zipOf } from '../test/zip.ts'
import { nodeExtraction } from './index.ts'
import type { ExtractedType } from '@quire/core/ports'

const mebibyte = 1024 * 1024
const seconds = 4
const memory = 384 * mebibyte
const slack = 128 * mebibyte

interface Bomb {
  readonly mimeType: ExtractedType
  readonly bytes: () => Uint8Array
  /** Permitted outcomes: a text that matches, no text, or a refusal of one of these kinds. */
  readonly ends: readonly (RegExp | null | 'unreadable' | 'large' | 'slow')[]
}

const encode = (text: string) => new TextEncoder().encode(text)
const document = (body: string) => `<w:document><w:body>${body}</w:body></w:document>`
const given = '<w:p><w:t>said before</w:t></w:p>'

/** A document that begins with a text, followed by this many MiB of spaces. */
function wordBomb(mebibytes: number, size: number): Uint8Array {
  const bytes = Buffer.concat([
    deflateOpen(`<w:document><w:body>${given}`),
    deflatedMebibytes(' ', mebibytes),
    deflateEnd,
  ])
  return zipOf([{ name: 'word/document.xml', bytes, size, crc: 0 }])
}

/** A page whose contents are this many MiB of one letter. */
function pageBomb(letter: string, mebibytes: number): Uint8Array {
  const bytes = Buffer.concat([Buffer.from([0x78, 0x9c]), deflatedMebibytes(letter, mebibytes), deflateEnd])
  return pdfOf([
    { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
    { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
    pageObject('4 0 R', '/F1 5 0 R'),
    deflated(bytes),
    { dictionary: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
  ])
}

function pdfWithPages(pages: string, content = ''): Uint8Array {
  return pdfOf([
    { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
    { dictionary: pages },
    pageObject('4 0 R', '/F1 5 0 R'),
    contentObject(content),
  ])
}

const bombs: Readonly<Record<string, Bomb>> = {
  'a document of 4 GiB that says so': {
    mimeType: docx,
    bytes: () => wordBomb(4095, 4095 * mebibyte),
    ends: [/^said before$/],
  },
  'a document of 4 GiB that says it has 100 bytes': {
    mimeType: docx,
    bytes: () => wordBomb(4095, 100),
    ends: [/^said before$/, 'unreadable'],
  },
  'a document of entities that name each other': {
    mimeType: docx,
    bytes: () => {
      const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)
      const lines = `<!DOCTYPE x [<!ENTITY l0 "lol">${entities.join('')}]>`
      return zipOf([
        entryOf('word/document.xml', `${lines}${document(`<w:p><w:t>&l9;</w:t></w:p>${given}`)}`),
      ])
    },
    ends: [/said before$/],
  },
  'a document of elements 2 000 000 deep': {
    mimeType: docx,
    bytes: () => zipOf([entryOf('word/document.xml', document(given + '<w:a>'.repeat(2_000_000)))]),
    ends: [/^said before$/],
  },
  'an archive of 60 000 entries': {
    mimeType: docx,
    bytes: () => {
      const empty = entryOf('', '')
      return zipOf(Array.from({ length: 60_000 }, (_, at) => ({ ...empty, name: `word/${at}.bin` })))
    },
    ends: ['unreadable'],
  },
  'a page of elements 2 000 000 deep': {
    mimeType: 'text/html',
    bytes: () => encode(`first${'<div>'.repeat(2_000_000)}last`),
    ends: [/^first$/],
  },
  'a page that closes 500 000 times what was never opened': {
    mimeType: 'text/html',
    bytes: () => encode(`first${'<b>'.repeat(500_000)}${'</i>'.repeat(500_000)}last`),
    ends: [/^first$/],
  },
  'a page of 60 MiB in one tag': {
    mimeType: 'text/html',
    bytes: () => encode(`first<p ${'a'.repeat(60 * mebibyte)}`),
    ends: [/^first$/, 'slow', 'large', 'unreadable'],
  },
  'Markdown of brackets that never close': {
    mimeType: 'text/markdown',
    bytes: () => encode(`first ${'[a](<b'.repeat(100_000)}`),
    ends: [/^first/, 'slow'],
  },
  'Markdown of quotes 500 000 deep': {
    mimeType: 'text/markdown',
    bytes: () => encode(`${'> '.repeat(500_000)}last`),
    ends: [/last$/, 'slow'],
  },
  'contents of 4 GiB of blanks': {
    mimeType: 'application/pdf',
    bytes: () => pageBomb(' ', 4095),
    ends: [null, 'large', 'slow', 'unreadable'],
  },
  'contents of 1 GiB of digits': {
    mimeType: 'application/pdf',
    bytes: () => pageBomb('1', 1024),
    ends: [null, 'large', 'slow', 'unreadable'],
  },
  'contents of brackets 10 000 000 deep': {
    mimeType: 'application/pdf',
    bytes: () => pageBomb('[', 10),
    ends: [null, 'large', 'slow', 'unreadable'],
  },
  'a dictionary of 10 000 000 numbers': {
    mimeType: 'application/pdf',
    bytes: () => pdfWithPages(`<< /Type /Pages /Kids [3 0 R] /Count 1 /A [${'1.5 '.repeat(10_000_000)}] >>`),
    ends: [null, 'large', 'slow', 'unreadable'],
  },
  'a thousand million pages that are not there': {
    mimeType: 'application/pdf',
    bytes: () => pdfWithPages('<< /Type /Pages /Kids [99 0 R] /Count 1000000000 >>'),
    ends: [null, 'unreadable', 'slow'],
  },
  'pages that hold themselves': {
    mimeType: 'application/pdf',
    bytes: () => pdfWithPages('<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'),
    ends: [null, 'unreadable', 'slow'],
  },
  'a table of objects that follows itself': {
    mimeType: 'application/pdf',
    bytes: () => {
      const whole = Buffer.from(pdfOfPages([['first']])).toString('latin1')
      const [, start = ''] = /startxref\n(\d+)/.exec(whole) ?? []
      return Uint8Array.from(Buffer.from(whole.replace('/Root', `/Prev ${start} /Root`), 'latin1'))
    },
    ends: [/^first$/],
  },
  'a stream in 200 filters': {
    mimeType: 'application/pdf',
    bytes: () => {
      let bytes: Uint8Array = Buffer.concat([
        Buffer.from([0x78, 0x9c]),
        deflatedMebibytes(' ', 500),
        deflateEnd,
      ])
      for (let times = 0; times < 20; times += 1) bytes = deflateSync(bytes)
      const filters = '/FlateDecode '.repeat(200)
      const stream = { dictionary: `<< /Length ${bytes.length} /Filter [${filters}] >>`, stream: bytes }
      return pdfOf([
        { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
        { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
        pageObject('4 0 R', '/F1 5 0 R'),
        stream,
      ])
    },
    ends: [null, 'large', 'slow', 'unreadable'],
  },
}

describe('files that are designed to cost too much', () => {
  const extraction = nodeExtraction({ seconds, memory, parallel: 1, idle: 1 })

  it.each(Object.entries(bombs))('%s', async (_, { mimeType, bytes, ends }) => {
    const file = bytes()
    const watched = watch()
    const started = performance.now()
    const outcome = await outcomeOf(extraction, mimeType, file)
    const milliseconds = performance.now() - started
    const { own, others } = watched.end()
    const end = 'refused' in outcome ? outcome.refused : outcome.text
    const isForeseen = ends.some((foreseen) =>
      foreseen instanceof RegExp ? typeof end === 'string' && foreseen.test(end) : foreseen === end,
    )
    expect(isForeseen || end).toBe(true)
    // Sending 60 MiB takes a moment longer, and the machine may be busy.
    expect(milliseconds).toBeLessThan((seconds + 6) * 1000)
    expect(own).toBeLessThan(slack)
    expect(others).toBeLessThan(memory + slack)
  })

  it('do not affect the next file', async () => {
    expect(await outcomeOf(extraction, 'text/html', encode('<p>after'))).toEqual({ text: 'after' })
  })
})

/** Samples the memory growth of this process, and the memory of its child processes. */
function watch() {
  const before = process.memoryUsage.rss()
  const most = { own: 0, others: 0 }
  const look = () => {
    most.own = Math.max(most.own, process.memoryUsage.rss() - before)
    if (process.platform !== 'linux') return
    const [others = 0] = childrenOf(process.pid)
      .map(memoryOf)
      .sort((one, other) => other - one)
    most.others = Math.max(most.others, others)
  }
  const timer = setInterval(look, 10)
  return {
    end() {
      look()
      clearInterval(timer)
      return most
    },
  }
}
