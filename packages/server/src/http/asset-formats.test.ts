import type { Item } from '@quire/contract'
import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, serveAssets, type AssetServing } from '../../test/asset-serving.ts'

let server: AssetServing
let png: Item
let animation: Item
beforeAll(async () => {
  server = await serveAssets()
  png = await server.upload(await specimens.png(), { name: 'quarters.png' })
  animation = await server.upload(await specimens.animatedGif(), { name: 'animated.gif' })
})
afterAll(() => server.close())

const firefox = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'
const olderSafari = 'image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5'

/** The format of a response by its first bytes. */
async function formatOf(response: Response): Promise<string> {
  const head = (await bytesOf(response)).toString('latin1', 0, 12)
  if (head.startsWith('\u0089PNG')) return 'image/png'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  if (head.slice(4) === 'ftypavif' || head.slice(4) === 'ftypavis') return 'image/avif'
  return head.startsWith('\u00ff\u00d8') ? 'image/jpeg' : head
}

describe('Accept', () => {
  it.each([
    [firefox, 'image/avif'],
    [olderSafari, 'image/webp'],
    ['image/avif;q=0, image/webp', 'image/webp'],
    ['image/webp;q=0.0,*/*', 'image/png'],
    ['IMAGE/WEBP', 'image/webp'],
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['image/png', 'image/png'],
    ['text/html', 'image/jpeg'],
  ])('%s gets %s', async (accept, type) => {
    const response = await server.get(png, 'thumbnail', { headers: { accept } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(varied(response)).toEqual(['accept', 'authorization', 'cookie'])
    expect(await formatOf(response)).toBe(type)
  })

  it('gives each format its own tag, and answers 304 for that tag only', async () => {
    const get = (accept: string, tag = '') =>
      server.get(png, 'thumbnail', { headers: { accept, 'if-none-match': tag } })
    const avif = (await get(firefox)).headers.get('etag') ?? ''
    const webp = (await get(olderSafari)).headers.get('etag') ?? ''
    expect(avif).not.toBe(webp)
    const fresh = await get(firefox, avif)
    expect([fresh.status, varied(fresh)]).toEqual([304, ['accept', 'authorization', 'cookie']])
    expect((await get(olderSafari, avif)).status).toBe(200)
  })

  it('retains the motion of an animation', async () => {
    const response = await server.get(animation, 'thumbnail', { headers: { accept: firefox } })
    expect(await formatOf(response)).toBe('image/webp')
  })

  it.each(['WEBP', 'WebP', 'webp'])('is ignored when %s is named', async (format) => {
    const response = await server.get(png, `thumbnail?format=${format}`, { headers: { accept: firefox } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  it.each(['WEB', 'web p', 'GIF', 'webp,png'])('does not help when %j is named: 400', async (format) => {
    const response = await server.get(png, `thumbnail?format=${encodeURIComponent(format)}`)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid' }])
  })

  it('is ignored when the format is named, and for the original', async () => {
    const headers = { accept: firefox }
    const named = await server.get(png, 'thumbnail?format=jpg', { headers })
    expect([named.headers.get('content-type'), varied(named)]).toEqual([
      'image/jpeg',
      ['authorization', 'cookie'],
    ])
    const original = await server.get(png, 'original', { headers })
    expect([original.headers.get('content-type'), varied(original)]).toEqual([
      'image/png',
      ['authorization', 'cookie'],
    ])
  })
})

function varied(response: Response): string[] {
  return (response.headers.get('vary') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .toSorted()
}
