import type { ImageFormat, Recipe } from '@quire/core/ports'
import type { Sharp } from 'sharp'
import type { Layout } from './layout.ts'

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
const white = { r: 255, g: 255, b: 255, alpha: 1 }

/** Scales the picture, places it on its canvas and rotates it. */
export function draw(image: Sharp, layout: Layout, recipe: Recipe): Sharp {
  const background = recipe.format === 'jpeg' ? white : transparent
  const scaled = image.resize({ ...layout.scaled, fit: 'fill' })
  // Rotated last: before `extract`, sharp would rotate the whole picture first and could not shrink
  // it while reading (310 ms instead of 75 ms).
  const laid = addMargins(cutOff(scaled, layout), layout, background).autoOrient()
  return recipe.format === 'jpeg' ? laid.flatten({ background }) : laid
}

function cutOff(image: Sharp, { canvas, scaled, left, top }: Layout): Sharp {
  const width = Math.min(canvas.width, scaled.width)
  const height = Math.min(canvas.height, scaled.height)
  if (width === scaled.width && height === scaled.height) return image
  return image.extract({ left: Math.max(0, -left), top: Math.max(0, -top), width, height })
}

function addMargins(image: Sharp, { canvas, scaled, left, top }: Layout, background: typeof white): Sharp {
  const right = canvas.width - scaled.width - left
  const bottom = canvas.height - scaled.height - top
  if (Math.max(left, top, right, bottom) <= 0) return image
  const pixels = (count: number) => Math.max(0, count)
  return image.extend({
    left: pixels(left),
    top: pixels(top),
    right: pixels(right),
    bottom: pixels(bottom),
    background,
  })
}

/** Encodes the picture in the format of the recipe. */
export function encode(image: Sharp, { format, quality }: Recipe, { canvas }: Layout): Sharp {
  return encoders[format](image, { quality, pixels: canvas.width * canvas.height })
}

interface Encoding {
  readonly quality: number
  readonly pixels: number
}

const encoders: Readonly<Record<ImageFormat, (image: Sharp, encoding: Encoding) => Sharp>> = {
  // 4:2:0 as in JPEG and WebP: full color resolution takes twice the time.
  avif: (image, { quality, pixels }) =>
    image.avif({ quality, effort: avifEffort(pixels), chromaSubsampling: '4:2:0' }),
  webp: (image, { quality }) => image.webp({ quality }),
  jpeg: (image, { quality }) => image.jpeg({ quality }),
  // Without `quality`, which would mean a palette: PNG retains every color.
  png: (image) => image.png(),
}

/**
 * Pixels up to which AVIF is encoded with more effort. At twice, a picture takes over 2 s; at half,
 * the large preset is already encoded with the least effort.
 */
const AVIF_CAREFUL = 2_500_000

/**
 * On one thread, 2 MP take 1.2 s at effort 2 and 0.4 s at effort 0. 27 MP take 15 s, which exceeds
 * the limit, and 2.4 s. The file sizes differ by a few percent.
 */
function avifEffort(pixels: number): number {
  return pixels <= AVIF_CAREFUL ? 2 : 0
}
