import { systemIdentity } from '@quire/core'
import type { Media } from '@quire/core/ports'
import { sharpMedia } from '@quire/media-sharp'
import sharp from 'sharp'
import { addAsset, fillForFiles, openWithFiles } from './asset-data.ts'
import { singleFigure, median, ratioLine, type Figure } from './compare.ts'
import { picture } from './picture.ts'

const width = 400
const lowestQuality = 40
const coldOfRound = 12
const mostRounds = 5
const parallelRequests = 100

/**
 * Renditions that are created for the first time, in process: compared with sharp alone, and
 * requested by many clients at once.
 */
export async function renditionLines(folder: string, { rounds }: { rounds: number }): Promise<Figure[]> {
  const data = await fillForFiles(folder, 'renditions')
  const counted = countingMedia(sharpMedia())
  const quire = await openWithFiles(data, { media: counted.media })
  const api = quire.as(systemIdentity('bench'))
  const source = await picture()
  const assetId = await addAsset(api, 'picture.jpg', source)
  const make = async (wanted: { width: number; quality: number }) =>
    (
      await api.assets.get({ configId: 'bench', assetId, rendition: 'original', format: 'webp', ...wanted })
    ).bytes()
  try {
    const alone = (quality: number) => encodeAlone(source, quality)
    const cold = await coldLine(rounds, { ours: (quality) => make({ width, quality }), alone })
    const before = counted.count()
    await Promise.all(Array.from({ length: parallelRequests }, () => make({ width: width / 2, quality: 80 })))
    return [cold, onceLine(counted.count() - before)]
  } finally {
    await quire.close()
  }
}

interface Makers {
  readonly ours: (quality: number) => Promise<Uint8Array>
  readonly alone: (quality: number) => Promise<Uint8Array>
}

/**
 * Every quality gives different bytes, so that each of our renditions is really created, stored and
 * synced.
 */
async function coldLine(rounds: number, { ours, alone }: Makers): Promise<Figure> {
  const pairs: [number, number][] = []
  for (let round = -1; round < Math.min(rounds, mostRounds); round++) {
    const limit: number[] = []
    const own: number[] = []
    for (let index = 0; index < coldOfRound; index++) {
      // Neighbouring qualities cost the same, so each round takes every n-th one. The warm-up round
      // uses qualities below the lowest.
      const quality = round < 0 ? index + 1 : lowestQuality + index * mostRounds + round
      limit.push(await timeOf(() => alone(quality)))
      own.push(await timeOf(() => ours(quality)))
    }
    if (round >= 0) pairs.push([median(limit), median(own)])
  }
  const ms = (side: 0 | 1) => median(pairs.map((pair) => pair[side])).toFixed(1)
  return ratioLine(
    'cold rendition in process, relative to sharp alone',
    pairs.map(([limit, own]) => own / limit),
    {
      target: 1.2,
      bound: 'atMost',
      detail: `${ms(1)} ms; sharp alone ${ms(0)} ms; 1600 × 1200 JPEG to 400 px WebP`,
    },
  )
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function encodeAlone(source: Uint8Array, quality: number): Promise<Uint8Array> {
  return sharp(source, { failOn: 'error' }).resize({ width }).webp({ quality }).toBuffer()
}

/** Counts how often a rendition is made. */
function countingMedia(media: Media): { readonly media: Media; readonly count: () => number } {
  let made = 0
  const make: Media['make'] = (source, recipe) => {
    made += 1
    return media.make(source, recipe)
  }
  return { media: { probe: (bytes) => media.probe(bytes), make }, count: () => made }
}

function onceLine(made: number): Figure {
  if (made === 0) throw new Error('the new rendition already existed')
  return singleFigure({
    what: `${parallelRequests} simultaneous requests for a new rendition`,
    value: made,
    unit: 'made',
    target: 1,
    bound: 'atMost',
    detail: 'renditions that were made',
  })
}
