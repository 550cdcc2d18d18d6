import { type Recipe, imageFormats } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { latin1 } from './octets.ts'
import { refusalOf } from './outcome.ts'
import { noPictures } from './probe.ts'
import { type Specimen, specimens } from './specimens.ts'
import type { OpenMedia } from './open.ts'

/** A thumbnail. */
export const aRecipe: Recipe = {
  width: 30,
  height: null,
  fit: 'inside',
  format: 'webp',
  quality: 80,
  focalPoint: null,
}

const sources = [
  'photo',
  'png',
  'turnedJpeg',
  'deepPng',
  'animatedGif',
  'animatedWebp',
] as const satisfies Specimen[]

/** The result has the requested format, and depends only on source and recipe. */
export function makeLaws(open: OpenMedia): void {
  describe('making a picture', () => {
    it.for(sources.flatMap((source) => imageFormats.map((format) => ({ source, format }))))(
      'makes $format from the specimen $source',
      async ({ source, format }) => {
        const made = await open().make(specimens[source], { ...aRecipe, format })
        expect(formatOf(made.bytes)).toBe(format)
      },
    )

    it('makes the same bytes from the same source and recipe', async () => {
      const { photo } = specimens
      expect(await open().make(photo, aRecipe)).toEqual(await open().make(photo, aRecipe))
    })

    it('does not change the source', async () => {
      const png = await specimens.png()
      await open().make(async () => png, aRecipe)
      expect(png).toEqual(await specimens.png())
    })

    it.for([...noPictures])('refuses the specimen %s as unreadable', async (name) => {
      expect(await refusalOf(open().make(specimens[name], aRecipe))).toBe('unreadable')
    })
  })
}

/**
 * Detects the format by the first bytes: PNG 5.2, ITU T.81 B.1.1.3, RFC 9649 2.4, ISO 14496-12 4.3.
 */
function formatOf(bytes: Uint8Array): string | undefined {
  const has = (at: number, text: string) => latin1(text).every((byte, index) => bytes[at + index] === byte)
  if (has(0, '\x89PNG\r\n\x1A\n')) return 'png'
  if (has(0, '\xFF\xD8\xFF')) return 'jpeg'
  if (has(0, 'RIFF') && has(8, 'WEBP')) return 'webp'
  return has(4, 'ftypavif') ? 'avif' : undefined
}
