import { specimens } from '@quire/testkit'
import { describe, expect, it } from 'vitest'
import { isVisible, sniff, sniffedBytes } from './file-types.ts'

const typeOf = async (bytes: Uint8Array, name = 'file') =>
  (await sniff(bytes.slice(0, sniffedBytes), name)).mimeType
const textType = (text: string, name?: string) => typeOf(new TextEncoder().encode(text), name)

describe('the type of a file', () => {
  it.each([
    ['turnedJpeg', 'image/jpeg'],
    ['cmykJpeg', 'image/jpeg'],
    ['truncatedJpeg', 'image/jpeg'],
    ['deepPng', 'image/png'],
    ['animatedGif', 'image/gif'],
    ['animatedWebp', 'image/webp'],
    ['avif', 'image/avif'],
    ['svg', 'image/svg+xml'],
    ['html', 'text/html'],
    ['pdf', 'application/pdf'],
    ['mp4', 'video/mp4'],
  ] as const)('is determined from the bytes of %s, whatever its name', async (name, mimeType) => {
    expect(await typeOf(await specimens[name](), 'a.png')).toBe(mimeType)
  })

  it.each([
    ['<?xml version="1.0"?><!-- a --><svg onload="x()">', 'image/svg+xml'],
    ['\ufeff  <SVG>', 'image/svg+xml'],
    ['<!DOCTYPE svg PUBLIC "x" "y"><svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><feed/>', 'application/xml'],
    ['<?xml version="1.0"?><title>a</title>', 'application/xml'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html>', 'application/xhtml+xml'],
    ['  <!DOCTYPE html><title>x', 'text/html'],
    ['<script>alert(1)</script>', 'text/html'],
    ['<!-- a --><img src=x onerror=1>', 'text/html'],
  ])('%j is %s', async (text, mimeType) => {
    expect(await textType(text, 'a.png')).toBe(mimeType)
  })

  it.each([
    ['notes.md', 'text/markdown'],
    ['data.csv', 'text/csv'],
    ['code.js', 'text/javascript'],
    ['words', 'text/plain'],
    ['picture.png', 'text/plain'],
  ])('of plain text named %s is %s', async (name, mimeType) => {
    expect(await textType('some, words', name)).toBe(mimeType)
  })

  it('of a text in UTF-16 follows from its name, unless it is a page', async () => {
    const words = Uint8Array.from(Buffer.from('\ufeffsome, words', 'utf16le'))
    expect(await typeOf(words, 'notes.md')).toBe('text/markdown')
    expect(await typeOf(Uint8Array.from(Buffer.from(words).swap16()), 'words')).toBe('text/plain')
    expect(await typeOf(Uint8Array.from(Buffer.from('\ufeff<!doctype html>', 'utf16le')), 'a.txt')).toBe(
      'text/html',
    )
  })

  it('of unknown bytes is octet-stream', async () => {
    expect(await typeOf(Uint8Array.of(1, 0, 2, 0), 'a.png')).toBe('application/octet-stream')
    expect(await typeOf(new Uint8Array())).toBe('text/plain')
  })
})

it.each([
  ['image/jpeg', true],
  ['video/mp4', true],
  ['audio/mpeg', true],
  ['image/svg+xml', false],
  ['text/html', false],
  ['application/pdf', false],
  ['image/tiff', false],
  ['video/mp4; a=b', false],
])('%s may be displayed by a browser: %s', (mimeType, visible) => {
  expect(isVisible(mimeType)).toBe(visible)
})
