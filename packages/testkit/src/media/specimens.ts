import { readFile } from 'node:fs/promises'
import { mediaFolder } from '../media-folder.ts'
import { gifOfFrames, hugeSvg, pngBomb, tiffOfPages } from './bombs.ts'
import { minimalMp4, minimalPdf, scriptedHtml, scriptedSvg } from './documents.ts'

/**
 * Files for tests; every call returns new bytes. The pictures with four quarters show red and green
 * above blue and yellow. The animations show a red, a green and a blue frame.
 */
export const specimens = {
  /** 1600 × 1200, 300 kB, as hard to encode as a photo. */
  photo: () => read('photo.jpg'),
  /** Four quarters, 120 × 80. */
  png: () => read('quarters.png'),
  /**
   * Four quarters, stored as 60 × 40 and shown as 40 × 60, with blue and red above yellow and green
   * (EXIF orientation 6). Its EXIF and XMP contain `Quire-Secret`.
   */
  turnedJpeg: () => read('turned.jpg'),
  /** Four quarters, 60 × 40, with colours in the profile Display P3. */
  wideJpeg: () => read('display-p3.jpg'),
  /** Four quarters, 60 × 40, in CMYK. */
  cmykJpeg: () => read('cmyk.jpg'),
  /** 60 × 40, 16 bits per channel, fading from opaque on the left to transparent on the right. */
  deepPng: () => read('deep-alpha.png'),
  /** 60 × 40, 3 frames. */
  animatedGif: () => read('animated.gif'),
  /** 60 × 40, 3 frames. */
  animatedWebp: () => read('animated.webp'),
  /** Four quarters, 60 × 40. */
  avif: () => read('quarters.avif'),
  /**
   * Four quarters, 60 × 40, as phones store pictures, in HEVC. Its header is complete, but no
   * decoder here can read its pixels.
   */
  heic: () => read('phone.heic'),
  /** The first third of the photo, with a complete header. */
  truncatedJpeg: async () => (await read('photo.jpg')).slice(0, 100_000),
  /** With scripts that must never run. */
  svg: async () => text(scriptedSvg),
  /** With a script that must never run. */
  html: async () => text(scriptedHtml),
  pdf: async () => minimalPdf(),
  /** Without a track to play. */
  mp4: async () => minimalMp4(),
  /** No bytes at all. */
  empty: async () => new Uint8Array(),
  /** 16 000 × 16 000 in 750 kB. */
  pngBomb: async () => pngBomb(),
  /** 50 000 frames of one pixel. */
  gifBomb: async () => gifOfFrames(50_000),
  /** 101 pages of one pixel: one more than the limit. */
  tiffBomb: async () => tiffOfPages(101),
  /** 20 000 × 20 000 in 80 bytes. */
  svgBomb: async () => text(hugeSvg),
} satisfies Readonly<Record<string, () => Promise<Uint8Array>>>

/** The name of a specimen. */
export type Specimen = keyof typeof specimens

async function read(name: string): Promise<Uint8Array> {
  return Uint8Array.from(await readFile(new URL(name, mediaFolder)))
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content)
}
