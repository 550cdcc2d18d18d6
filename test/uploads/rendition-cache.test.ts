import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadWhole } from './append.ts'
import { ask, type Answer } from './ask.ts'
import { hashOf } from './look.ts'
import { Location, repository } from './location.ts'

const MiB = 1024 ** 2
const room = MiB

let location: Location
let id: string
beforeAll(async () => {
  location = await new Location({ QUIRE_RENDITION_CACHE: String(room), QUIRE_RATE_LIMIT: '0' }).open()
  id = await uploadWhole(location, await specimens.photo(), 'photo')
}, 60_000)
afterAll(() => location.close())

/** The disk space used by renditions, including folders and temporary files. */
function accepted(): number {
  const folders = ['derived', 'temp'].map((name) => join(location.data, 'blobs', name))
  const { stdout } = spawnSync('du', ['-sk', '--total', ...folders], { encoding: 'utf8' })
  return Number(/^(\d+)\ttotal$/m.exec(stdout)?.[1]) * 1024
}

const picture = (query: string) =>
  ask(location, { path: `/api/assets/${repository}/${id}/original?${query}` })

// Queries for different pictures, from about 3 kB to 300 kB.
const widths = [64, 128, 192, 256, 320, 480, 640, 800]
const qualities = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
const boxes = ['', '&height=64', '&height=128&fit=cover', '&height=256&fit=contain']
const queries = widths.flatMap((width) =>
  qualities.flatMap((quality) =>
    boxes.map((box) => `format=jpg&width=${width - 3}&quality=${quality - 2}${box}`),
  ),
)

describe('requests for a picture in ever new sizes', () => {
  it('fill the disk only up to the limit, and are answered correctly twice', async () => {
    expect(queries.length).toBeGreaterThanOrEqual(300)
    const before = accepted()
    const tags = new Map<string, string>()
    const sizes = new Map<string, number>()
    const isRight = ({ status, headers, body }: Answer) =>
      status === 200 && headers.etag === `"${hashOf(body)}"` && headers['content-type'] === 'image/jpeg'
    let [most, largest] = [0, 0]
    for (let at = 0; at < queries.length; at += 2) {
      const two = queries.slice(at, at + 2)
      const answers = await Promise.all([...two, ...two].map(picture))
      for (const [index, answer] of answers.entries()) {
        const query = two[index % 2] ?? ''
        expect(isRight(answer), query).toBe(true)
        expect(answer.headers.etag).toBe(tags.get(query) ?? answer.headers.etag)
        tags.set(query, answer.headers.etag ?? '')
        sizes.set(query, answer.body.length)
        largest = Math.max(largest, answer.body.length)
      }
      most = Math.max(most, accepted() - before)
    }
    expect(most).toBeLessThanOrEqual(room + largest)
    // They would not all fit, and the space was used.
    expect([...sizes.values()].reduce((all, size) => all + size)).toBeGreaterThan(1.5 * room)
    expect(most).toBeGreaterThan(room / 2)
    // A new process lists the cache and evicts the oldest renditions to make space for the latest
    // requests, which had not been stored.
    await location.restart()
    for (const query of [...queries.slice(-20), ...queries.slice(0, 20)]) {
      const { status, headers } = await picture(query)
      expect([status, headers.etag], query).toEqual([200, tags.get(query)])
    }
    await expect.poll(() => accepted() - before).toBeLessThan(room)
    const { body } = await ask(location, { path: `/api/assets/${repository}/${id}/original` })
    expect(hashOf(body)).toBe(hashOf(await specimens.photo()))
  }, 120_000)
})
