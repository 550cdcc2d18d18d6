import { setTimeout as wait } from 'node:timers/promises'
import { specimens, type Specimen } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadWhole } from './append.ts'
import { ask } from './ask.ts'
import { filesIn, hashOf, hashOfItem } from './look.ts'
import { Location, repository } from './location.ts'
import { peakBytes, residentBytes } from './process.ts'

const MiB = 1024 ** 2

let location: Location
const ids = new Map<Specimen, string>()
const bombs = ['pngBomb', 'gifBomb', 'svgBomb', 'tiffBomb', 'truncatedJpeg', 'empty', 'pdf'] as const
beforeAll(async () => {
  location = await new Location().open()
  for (const name of ['photo', ...bombs] as const)
    ids.set(name, await uploadWhole(location, await specimens[name](), name))
  // Loads sharp, which happens with the first picture.
  await rendition('photo', 'thumbnail')
}, 60_000)
afterAll(() => location.close())

const rendition = (name: Specimen, made: string) =>
  ask(location, { path: `/api/assets/${repository}/${ids.get(name)}/${made}` })

describe('a file that cannot be converted', () => {
  // Timing may fail on a machine that is busy at that moment.
  it.each(bombs)('is answered with 404 at once: %s', { retry: 2 }, async (name) => {
    const before = residentBytes(location.pid)
    let slowest = 0
    const over = new AbortController()
    const readers = (async () => {
      while (!over.signal.aborted) {
        const start = performance.now()
        expect((await ask(location, { path: `/api/items/${repository}?limit=1` })).status).toBe(200)
        slowest = Math.max(slowest, performance.now() - start)
        await wait(5)
      }
    })()
    const took: number[] = []
    const peak = await peakBytes(location.pid, async () => {
      for (const made of ['thumbnail', 'medium?format=webp', 'original?format=png']) {
        const start = performance.now()
        const { status, body } = await rendition(name, made)
        took.push(performance.now() - start)
        expect([status, JSON.parse(body.toString())]).toMatchObject([404, { code: 'not_found' }])
      }
    })
    over.abort()
    await readers
    expect(Math.max(...took)).toBeLessThan(1000)
    expect(slowest).toBeLessThan(200)
    expect(peak - before).toBeLessThan(100 * MiB)
  })

  it('can still be downloaded unchanged', async () => {
    for (const name of bombs)
      expect(await hashOfItem(location, ids.get(name) ?? '')).toBe(hashOf(await specimens[name]()))
  })
})

it('a new rendition that is requested a hundred times at once is the same for all, and stored once', async () => {
  const before = filesIn(location, 'derived').length
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => rendition('photo', 'small?format=webp')),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${hashOf(body)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  await expect.poll(() => filesIn(location, 'derived').length).toBe(before + 1)
})
