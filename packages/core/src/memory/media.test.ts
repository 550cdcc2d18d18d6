import { describe, expect, it } from 'vitest'
import { readImageHead, fakeMedia } from './media.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** A GIF of 300 × 200 with a palette of four colors and the given blocks. */
const gif = (blocks: string) => bytes(`GIF89a\x2C\x01\xC8\0\x81\0\0${'\0'.repeat(12)}${blocks}`)
const frame = '\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0'
const frameWithColours = `\x2C\0\0\0\0\x01\0\x01\0\x80${'\0'.repeat(6)}\x02\x02\x44\x01\0`

describe('the header of an image', () => {
  it('gives the size of a lossless WebP, and whether it has alpha', () => {
    // 300 − 1 in 14 bits, 200 − 1 in the next 14, then the bit of alpha.
    const bits = (alpha: number) => (299 | (199 << 14) | (alpha << 28)) >>> 0
    const file = (value: number) =>
      bytes(
        `RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2F${String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24)}`,
      )
    expect(readImageHead(file(bits(0)))).toEqual({ width: 300, height: 200, pages: 1, hasAlpha: false })
    expect(readImageHead(file(bits(1)))).toEqual({ width: 300, height: 200, pages: 1, hasAlpha: true })
  })

  it('counts the frames of a GIF past comments and palettes', () => {
    const info = { width: 300, height: 200, pages: 3, hasAlpha: false }
    expect(readImageHead(gif(`${frame}\x21\xFE\x02hi\0${frameWithColours}${frame};`))).toEqual(info)
  })

  it('is null if a GIF has no frame or is truncated', () => {
    expect(readImageHead(gif(';'))).toBeNull()
    expect(readImageHead(gif(frame))).toBeNull()
  })

  it('is one pixel for an image that the fake makes', async () => {
    const source = async () => gif(`${frame};`)
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const recipe = {
        width: 30,
        height: null,
        fit: 'inside',
        format,
        quality: 80,
        focalPoint: null,
      } as const
      const made = await fakeMedia().make(source, recipe)
      expect(made).toMatchObject({ width: 30, height: 20 })
      expect(readImageHead(made.bytes)).toEqual({ width: 1, height: 1, pages: 1, hasAlpha: false })
    }
  })
})
