import { constants, crc32, deflateRawSync } from 'node:zlib'
import { concat, latin1, uint32 } from './octets.ts'

/**
 * The side of `pngBomb` in pixels: 256 megapixels, which is within sharp's own limit and five times
 * Quire's.
 */
const BOMB_SIDE = 16_000

/**
 * A complete, valid black RGB picture of 16 000 × 16 000 px in some 800 kB: 768 MB when decoded
 * (TRUST S14). The same compressed rows are repeated, so that making it takes milliseconds.
 */
export function pngBomb(): Uint8Array {
  const header = concat([uint32(BOMB_SIDE), uint32(BOMB_SIDE), Uint8Array.of(8, 2, 0, 0, 0)])
  return concat([
    latin1('\x89PNG\r\n\x1A\n'),
    chunk('IHDR', header),
    chunk('IDAT', zeros(BOMB_SIDE, 1 + 3 * BOMB_SIDE)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Rows per compressed block, which is repeated. */
const ROWS_AT_ONCE = 160

/**
 * A zlib stream (RFC 1950) of `rows` rows of zeros. Blocks that end with a full flush can be
 * concatenated unchanged.
 */
function zeros(rows: number, rowBytes: number): Uint8Array {
  const block = deflateRawSync(new Uint8Array(ROWS_AT_ONCE * rowBytes), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const blocks = Array.from({ length: rows / ROWS_AT_ONCE }, () => block)
  // Adler-32 of zeros: its first sum stays 1, its second counts the bytes.
  const checksum = uint32(((rows * rowBytes) % 65_521) * 0x1_0000 + 1)
  return concat([Uint8Array.of(0x78, 0xda), ...blocks, Uint8Array.of(3, 0), checksum])
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const named = concat([latin1(name), content])
  return concat([uint32(content.length), named, uint32(crc32(named))])
}

/** An animation of one pixel with `count` frames, 23 bytes each. */
export function gifOfFrames(count: number): Uint8Array {
  const head = latin1('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF')
  const frame = latin1('\x21\xF9\x04\x04\x0A\0\0\0\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0')
  return concat([head, ...Array.from({ length: count }, () => frame), latin1(';')])
}

/**
 * The tags of a grey page of one pixel, which is byte 8 of the file (TIFF 6.0, section 2): tag,
 * type, count, value.
 */
const pageTags = [
  [256, 3, 1, 1],
  [257, 3, 1, 1],
  [258, 3, 1, 8],
  [259, 3, 1, 1],
  [262, 3, 1, 1],
  [273, 4, 1, 8],
  [277, 3, 1, 1],
  [278, 3, 1, 1],
  [279, 4, 1, 1],
] as const

const PAGE_BYTES = 2 + 12 * pageTags.length + 4

/** A document with `count` pages of one pixel. */
export function tiffOfPages(count: number): Uint8Array {
  const first = 12
  const bytes = new Uint8Array(first + count * PAGE_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(latin1('II*\0\x0C'))
  for (let page = 0; page < count; page += 1) {
    const at = first + page * PAGE_BYTES
    writePage(view, at, page + 1 < count ? at + PAGE_BYTES : 0)
  }
  return bytes
}

function writePage(view: DataView, at: number, next: number): void {
  view.setUint16(at, pageTags.length, true)
  for (const [index, [tag, type, count, value]] of pageTags.entries()) {
    const entry = at + 2 + 12 * index
    view.setUint16(entry, tag, true)
    view.setUint16(entry + 2, type, true)
    view.setUint32(entry + 4, count, true)
    view.setUint32(entry + 8, value, true)
  }
  view.setUint32(at + PAGE_BYTES - 4, next, true)
}

/** A drawing of 20 000 × 20 000 px in 78 bytes. */
export const hugeSvg = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"><rect/></svg>'
