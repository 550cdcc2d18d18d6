import { type ImageFormat, type ImageInfo, type Media, MediaRefused, type Recipe } from '../ports/index.ts'

/**
 * A fake for browsers and for tests without a network. It reads the size of PNG, JPEG, GIF and WebP
 * files from their headers, and makes one gray pixel in the requested format, reported with the
 * size that the recipe asks for. Nothing is decoded, rotated or limited.
 */
export function fakeMedia(): Media {
  return {
    async probe(source) {
      return readImageHead(await source())
    },
    async make(source, recipe) {
      const info = readImageHead(await source())
      if (!info)
        throw new MediaRefused(
          'unreadable',
          'The file is not a PNG, JPEG, GIF or WebP image: choose another.',
        )
      return { bytes: onePixel(recipe.format), ...sizeBy(recipe, info) }
    },
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

function sizeBy({ width, height, fit }: Recipe, source: ImageInfo): Size {
  if (fit === 'inside' || width === null || height === null)
    return inside(source, { width: width ?? source.width, height: height ?? source.height })
  return { width: Math.min(width, source.width), height: Math.min(height, source.height) }
}

function inside(source: ImageInfo, box: Size): Size {
  const factor = Math.min(1, box.width / source.width, box.height / source.height)
  const side = (length: number) => Math.max(1, Math.round(length * factor))
  return { width: side(source.width), height: side(source.height) }
}

function onePixel(format: ImageFormat): Uint8Array {
  return Uint8Array.from(atob(pixels[format]), (letter) => letter.charCodeAt(0))
}

/** A file of one gray pixel in each format, in base64. */
const pixels: Readonly<Record<ImageFormat, string>> = {
  avif:
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERA' +
    'AAEAAQAAAAAA+gABAAAAAAAAABoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAA' +
    'AAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAAEAAAABAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAibWRhdBIACgc4AAaQENBp' +
    'Mg0ZQmMEwAA0AASQQM1A',
  webp: 'UklGRiQAAABXRUJQVlA4IBgAAABQAQCdASoBAAEAAsBMJaQABHQAAORAAAA=',
  jpeg:
    '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9j' +
    'QjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAA' +
    'AAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A' +
    'AA//2Q==',
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NoaGgAAAMEAYGa8M1PAAAAAElFTkSuQmCC',
}

/**
 * The properties in the header of a PNG, JPEG, GIF or WebP file, ignoring its orientation; null for
 * other files and for truncated headers.
 */
export function readImageHead(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = formats.find(({ starts }) => starts(view))
  if (!format) return null
  try {
    return format.read(view)
  } catch (error) {
    // A DataView throws a RangeError past its end.
    if (error instanceof RangeError) return null
    throw error
  }
}

interface Format {
  readonly starts: (view: DataView) => boolean
  readonly read: (view: DataView) => ImageInfo | null
}

const formats: readonly Format[] = [
  { starts: (view) => hasText(view, 0, '\x89PNG\r\n\x1A\n'), read: readPng },
  { starts: (view) => hasText(view, 0, '\xFF\xD8\xFF'), read: readJpeg },
  { starts: (view) => hasText(view, 0, 'GIF8'), read: readGif },
  { starts: (view) => hasText(view, 0, 'RIFF') && hasText(view, 8, 'WEBP'), read: readWebp },
]

function hasText(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false
  return Array.from(text).every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0))
}

/** PNG 11.2.2: IHDR comes first; the color types 4 and 6 have alpha. */
function readPng(view: DataView): ImageInfo {
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    pages: 1,
    hasAlpha: (view.getUint8(25) & 4) !== 0,
  }
}

/**
 * ITU T.81 B.2.2: the size is in the frame header, one of the markers C0 to CF except C4, C8 and
 * CC, which are tables.
 */
function readJpeg(view: DataView): ImageInfo {
  let at = 2
  while (!isFrameMarker(view.getUint8(at + 1))) at += 2 + view.getUint16(at + 2)
  return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), pages: 1, hasAlpha: false }
}

function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/**
 * GIF89a 18 to 26: blocks until the trailer. An image descriptor (2C) is a frame; a graphic control
 * extension (21 F9) can mark a color as transparent.
 */
function readGif(view: DataView): ImageInfo | null {
  let pages = 0
  let hasAlpha = false
  let at = 13 + colourTable(view.getUint8(10))
  for (let block = view.getUint8(at); block !== 0x3b; block = view.getUint8(at)) {
    if (block === 0x2c) pages += 1
    else if (view.getUint8(at + 1) === 0xf9 && (view.getUint8(at + 3) & 1) === 1) hasAlpha = true
    at = pastSubBlocks(view, block === 0x2c ? at + 11 + colourTable(view.getUint8(at + 9)) : at + 2)
  }
  if (pages === 0) return null
  return { width: view.getUint16(6, true), height: view.getUint16(8, true), pages, hasAlpha }
}

function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function pastSubBlocks(view: DataView, start: number): number {
  let at = start
  while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at)
  return at + 1
}

/** RFC 9649: the first chunk is an extended header, or the image itself, lossy or lossless. */
function readWebp(view: DataView): ImageInfo | null {
  if (hasText(view, 12, 'VP8X')) return extendedWebp(view)
  if (hasText(view, 12, 'VP8L')) return losslessWebp(view)
  if (!hasText(view, 12, 'VP8 ')) return null
  const side = (at: number) => view.getUint16(at, true) & 0x3fff
  return { width: side(26), height: side(28), pages: 1, hasAlpha: false }
}

function losslessWebp(view: DataView): ImageInfo {
  const bits = view.getUint32(21, true)
  return {
    width: 1 + (bits & 0x3fff),
    height: 1 + ((bits >>> 14) & 0x3fff),
    pages: 1,
    hasAlpha: (bits & 0x1000_0000) !== 0,
  }
}

function extendedWebp(view: DataView): ImageInfo {
  const side = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000
  const frames = countChunks(view, 'ANMF')
  const hasAlpha = (view.getUint8(20) & 0x10) !== 0
  return { width: side(24), height: side(27), pages: Math.max(1, frames), hasAlpha }
}

function countChunks(view: DataView, name: string): number {
  let count = 0
  for (let at = 12; at + 8 <= view.byteLength; at += 8 + 2 * Math.ceil(view.getUint32(at + 4, true) / 2))
    if (hasText(view, at, name)) count += 1
  return count
}
