import type { Item } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, serveAssets, someBytes, type AssetServing } from '../../test/asset-serving.ts'

const small = someBytes(1000)
// Larger than one piece that is sent, and than the part that is verified before the first byte.
const large = someBytes(9 * 1024 * 1024, 3)

let server: AssetServing
let asset: Item
let big: Item
beforeAll(async () => {
  server = await serveAssets()
  asset = await server.upload(small, { name: 'small.bin' })
  big = await server.upload(large, { name: 'big.bin' })
})
afterAll(() => server.close())

const ask = (range: string, headers: Readonly<Record<string, string>> = {}, item = asset) =>
  server.get(item, 'original', { headers: { range, ...headers } })

/** The expected range of the small asset: start and end, the end excluded. */
const single: readonly (readonly [range: string, start: number, end: number])[] = [
  ['bytes=0-0', 0, 1],
  ['bytes=10-19', 10, 20],
  ['bytes=990-', 990, 1000],
  ['bytes=0-', 0, 1000],
  ['bytes=-10', 990, 1000],
  ['bytes=-5000', 0, 1000],
  ['bytes= -99999999999999999999', 0, 1000],
  ['bytes=999-5000', 999, 1000],
  ['bytes=0-9,5-14', 0, 15],
  ['bytes=0-9, 5000-', 0, 10],
]

describe('Range', () => {
  it.each(single)('%s is 206 with bytes %i to before %i', async (range, start, end) => {
    const response = await ask(range)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/1000`)
    expect(response.headers.get('content-length')).toBe(String(end - start))
    expect((await bytesOf(response)).equals(small.subarray(start, end))).toBe(true)
  })

  it.each([
    ['the first megabyte', 0, 1024 * 1024],
    ['one across the pieces that are read', 200_000, 600_001],
    ['the last byte', large.length - 1, large.length],
    ['nearly all', 1, large.length],
  ])('returns %s of a large asset', async (_, start, end) => {
    const response = await ask(`bytes=${start}-${end - 1}`, {}, big)
    expect(response.status).toBe(206)
    expect((await bytesOf(response)).equals(large.subarray(start, end))).toBe(true)
  })

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0', 'bytes=9-0', 'bytes=1000-1000,2000-'])(
    '%s is 416 and names the length',
    async (range) => {
      const response = await ask(range)
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
      expect(await response.json()).toMatchObject({ error: true, code: 'range_not_satisfiable' })
    },
  )

  it.each(['bytes', 'bytes=', 'bytes=x-y', 'lines=0-1', '0-9', ''])(
    '%j is not a range, so the whole asset is sent',
    async (range) => {
      const response = await ask(range)
      expect(response.status).toBe(200)
      expect((await bytesOf(response)).equals(small)).toBe(true)
    },
  )

  it('with more than ten parts is ignored', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `${index * 20}-${index * 20 + 5}`).join(',')
    expect((await ask(`bytes=${many}`)).status).toBe(200)
  })

  it('is ignored by HEAD', async () => {
    const head = await server.get(asset, 'original', { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000'])
  })
})

describe('several ranges', () => {
  it('are the parts of one body, in order and each with its position', async () => {
    const response = await ask('bytes=0-9,100-199,-1')
    expect(response.status).toBe(206)
    const body = await bytesOf(response)
    expect(response.headers.get('content-length')).toBe(String(body.length))
    const parts = partsOf(response.headers.get('content-type') ?? '', body)
    expect(parts.map(({ headers }) => headers)).toEqual(
      ['0-9', '100-199', '999-999'].map((range) => ({
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${range}/1000`,
      })),
    )
    const expected = [small.subarray(0, 10), small.subarray(100, 200), small.subarray(999)]
    expect(parts.map(({ bytes }, index) => bytes.equals(expected[index] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('also work with a large asset', async () => {
    const middle = 4 * 1024 * 1024
    const response = await ask(`bytes=0-999999,${middle}-${middle + 999_999}`, {}, big)
    const parts = partsOf(response.headers.get('content-type') ?? '', await bytesOf(response))
    expect(parts.map(({ bytes }) => bytes.length)).toEqual([1_000_000, 1_000_000])
    expect(parts[1]?.bytes.equals(large.subarray(middle, middle + 1_000_000))).toBe(true)
  })
})

describe('If-Range', () => {
  const tag = () => `"${asset.asset?.hash}"`

  it('with the tag returns the part', async () => {
    const response = await ask('bytes=0-9', { 'if-range': tag() })
    expect([response.status, (await bytesOf(response)).length]).toEqual([206, 10])
  })

  it.each([
    ['another tag', () => '"other"'],
    ['a weak tag, which does not identify bytes', () => `W/${tag()}`],
    ['a date, because assets have none', () => new Date().toUTCString()],
  ])('with %s returns the whole asset', async (_, value) => {
    const response = await ask('bytes=0-9', { 'if-range': value() })
    expect([response.status, response.headers.get('content-range')]).toEqual([200, null])
    expect((await bytesOf(response)).equals(small)).toBe(true)
    // Then even a part that does not exist is not one.
    expect((await ask('bytes=5000-', { 'if-range': value() })).status).toBe(200)
  })
})

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** The parts of a multipart/byteranges body (RFC 9110 §14.6, RFC 2046 §5.1.1). */
function partsOf(contentType: string, body: Buffer): Part[] {
  const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Error(`${contentType} is not multipart/byteranges`)
  const pieces: Buffer[] = []
  const state = Buffer.from(`\r\n--${boundary}`)
  let location = body.indexOf(state)
  while (!body.subarray(location + state.length).equals(Buffer.from('--\r\n'))) {
    const next = body.indexOf(state, location + state.length)
    if (next < 0) throw new Error('the last boundary is missing')
    pieces.push(body.subarray(location + state.length + 2, next))
    location = next
  }
  return pieces.map(partOf)
}

function partOf(piece: Buffer): Part {
  const end = piece.indexOf('\r\n\r\n')
  const lines = piece.toString('latin1', 0, end).split('\r\n')
  const headers = lines.map((line) => {
    const [name = '', value = ''] = line.split(/: (.*)/)
    return [name.toLowerCase(), value]
  })
  return { headers: Object.fromEntries(headers), bytes: piece.subarray(end + 4) }
}
