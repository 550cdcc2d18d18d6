import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalOf } from './outcome.ts'
import { type Specimen, specimens } from './specimens.ts'
import type { OpenMedia } from './open.ts'

const pictures = {
  photo: { width: 1600, height: 1200, pages: 1, hasAlpha: false },
  png: { width: 120, height: 80, pages: 1, hasAlpha: false },
  deepPng: { width: 60, height: 40, pages: 1, hasAlpha: true },
  cmykJpeg: { width: 60, height: 40, pages: 1, hasAlpha: false },
  animatedGif: { width: 60, height: 40, pages: 3, hasAlpha: true },
  animatedWebp: { width: 60, height: 40, pages: 3, hasAlpha: false },
} as const

/** Specimens that no media may recognize as a picture. */
export const noPictures = [
  'svg',
  'html',
  'pdf',
  'mp4',
  'empty',
  'svgBomb',
  'heic',
] as const satisfies Specimen[]

/** Probing reports the header of a file, and no input makes it fail. */
export function probeLaws(open: OpenMedia): void {
  describe('probing a picture', () => {
    it.for(Object.entries(pictures))(
      'reports size, pages and alpha of the specimen %s',
      async ([name, info]) => {
        expect(await open().probe(() => bytesOf(name))).toEqual(info)
      },
    )

    it('reads a view into a larger buffer', async () => {
      const png = await specimens.png()
      const buffer = new Uint8Array(png.length + 20).fill(7)
      buffer.set(png, 10)
      expect(await open().probe(async () => buffer.subarray(10, 10 + png.length))).toEqual(pictures.png)
    })

    it('reports the size of a truncated photo whose header is complete', async () => {
      expect(await open().probe(specimens.truncatedJpeg)).toEqual(pictures.photo)
    })

    it.for([...noPictures])('does not take the specimen %s for a picture', async (name) => {
      expect(await open().probe(specimens[name])).toBeNull()
    })

    it('does not take random bytes for a picture', async () => {
      const media = open()
      const law = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await media.probe(async () => bytes)).toBeNull()
      })
      await fc.assert(law)
    })

    it('answers or refuses, and never fails, for pictures that are truncated and changed anywhere', async () => {
      const media = open()
      const files = await Promise.all(Object.keys(pictures).map(bytesOf))
      const damage = fc.record({
        file: fc.constantFrom(...files),
        stored: fc.nat(400),
        at: fc.nat(80),
        to: fc.nat(255),
      })
      const law = fc.asyncProperty(damage, async ({ file, stored, at, to }) => {
        const bytes = file.slice(0, stored)
        bytes.set([to].slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length))
        expect(['made', 'large']).toContain(await refusalOf(media.probe(async () => bytes)))
      })
      await fc.assert(law, { numRuns: 300 })
    })
  })
}

async function bytesOf(name: string): Promise<Uint8Array> {
  const specimen = Object.entries(specimens).find(([key]) => key === name)
  if (!specimen) throw new Error(`There is no specimen ${name}.`)
  return specimen[1]()
}
