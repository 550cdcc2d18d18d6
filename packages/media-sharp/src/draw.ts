import type { ImageFormat, Recipe } from '@quire/core/ports'
import type { Sharp } from 'sharp'
import type { Layout } from './layout.ts'

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
const white = { r: 255, g: 255, b: 255, alpha: 1 }

/** The picture scaled, moved onto its canvas and turned. */
export function draw(image: Sharp, layout: Layout, recipe: Recipe): Sharp {
  const background = recipe.format === 'jpeg' ? white : transparent
  const scaled = image.resize({ ...layout.scaled, fit: 'fill' })
  // Turned last: said before `extract`, sharp would turn the whole picture first, and reading would not shrink it (310 ms for 75 ms).
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

/** The picture in the format of the recipe, of as many pixels as its canvas has. */
export function encode(image: Sharp, { format, quality }: Recipe, { canvas }: Layout): Sharp {
  return encoders[format](image, { quality, pixels: canvas.width * canvas.height })
}

interface Encoding {
  readonly quality: number
  readonly pixels: number
}

const encoders: Readonly<Record<ImageFormat, (image: Sharp, encoding: Encoding) => Sharp>> = {
  // 4:2:0 as JPEG and WebP have it: all colours of all pixels take twice the time.
  avif: (image, { quality, pixels }) =>
    image.avif({ quality, effort: avifEffort(pixels), chromaSubsampling: '4:2:0' }),
  webp: (image, { quality }) => image.webp({ quality }),
  jpeg: (image, { quality }) => image.jpeg({ quality }),
  // Without its quality, which would mean a palette: PNG keeps every colour.
  png: (image) => image.png(),
}

/** Pixels up to which AVIF may take its time: at twice, a picture takes over 2 s; at half, the large preset is already made in haste. */
const AVIF_CAREFUL = 2_500_000

/** On one thread 2 MP take 1.2 s at the effort of 2 and 0.4 s at 0; 27 MP take 15 s, past the limit, and 2.4 s. The files differ by some percent. */
function avifEffort(pixels: number): number {
  return pixels <= AVIF_CAREFUL ? 2 : 0
}
