import { type ImageFormat, type ImageInfo, type Media, MediaRefused, type Recipe } from '../ports/index.ts'
import { readImageHead } from './image-head.ts'

/**
 * A fake for browsers and for tests without a network: it reads the size of PNG, JPEG, GIF and WebP from their heads, and makes one
 * grey pixel in the format asked for, of which it says the size that the recipe asks for. Nothing is decoded, turned or limited.
 */
export function fakeMedia(): Media {
  return {
    async probe(source) {
      return readImageHead(await source())
    },
    async make(source, recipe) {
      const info = readImageHead(await source())
      if (!info)
        throw new MediaRefused('unreadable', 'The file is no PNG, JPEG, GIF or WebP picture: choose another.')
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

/** A file of one grey pixel in each format, in Base64. */
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
