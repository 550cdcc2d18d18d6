import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BinaryRange, BinarySource } from '../binary.ts'
import { encodeBinary, type BinaryReply } from './index.ts'

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)

const source: BinarySource = {
  mimeType: 'image/png',
  fileName: 'a"; filename=evil.html.png',
  size: bytes.length,
  etag: 'tag',
  disposition: 'inline',
  isImmutable: false,
  isNegotiated: true,
  async open({ start, end }: BinaryRange = { start: 0, end: bytes.length - 1 }) {
    return (async function* () {
      yield bytes.slice(start, end + 1)
    })()
  },
}

function ask(headers: Record<string, string> = {}, { method = 'GET', of = source } = {}) {
  return encodeBinary(of, { method, header: (name) => headers[name], requestId: 'REQ' }) as BinaryReply
}

async function bodyOf({ open }: BinaryReply): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await open?.()) ?? []) chunks.push(chunk)
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())
}

describe('bytes that are served', () => {
  it('are sent whole, with headers that keep a browser from running them', async () => {
    const reply = ask()
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'content-length': '1000',
        'accept-ranges': 'bytes',
        etag: '"tag"',
        vary: 'Accept, Authorization, Cookie',
        'cache-control': 'private, no-cache',
        'content-security-policy': expect.stringContaining('sandbox'),
      },
    })
    expect(await bodyOf(reply)).toEqual(bytes)
  })

  it('have one file name, which is quoted', () => {
    expect(ask().headers['content-disposition']).toBe(
      String.raw`inline; filename="a\"; filename=evil.html.png"`,
    )
    const of = { ...source, fileName: 'Öl €.png', disposition: 'attachment' as const }
    expect(ask({}, { of }).headers['content-disposition']).toContain(
      "filename*=UTF-8''%C3%96l%20%E2%82%AC.png",
    )
  })

  it('are only headers for HEAD, with and without a range', () => {
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      const { status, headers: sent, open } = ask(headers, { method: 'HEAD' })
      expect([status, sent['content-length'], open]).toEqual([200, '1000', undefined])
    }
  })

  it.each(['"tag"', 'W/"tag"', '"x", "tag"', '*'])(
    'are 304 for a caller that has them: %s',
    (ifNoneMatch) => {
      expect(ask({ 'if-none-match': ifNoneMatch, range: 'bytes=0-1' })).toMatchObject({
        status: 304,
        open: undefined,
      })
    },
  )
})

describe('a range', () => {
  it('gives exactly the bytes that it names', async () => {
    const at = fc.nat(bytes.length - 1)
    await fc.assert(
      fc.asyncProperty(at, at, async (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const reply = ask({ range: `bytes=${start}-${end}` })
        expect(reply.status).toBe(206)
        expect(reply.headers['content-range']).toBe(`bytes ${start}-${end}/1000`)
        expect(await bodyOf(reply)).toEqual(bytes.slice(start, end + 1))
        expect(Number(reply.headers['content-length'])).toBe(end - start + 1)
      }),
    )
  })

  it.each([
    ['bytes=-10', 'bytes 990-999/1000'],
    ['bytes=990-', 'bytes 990-999/1000'],
    ['bytes=0-99999', 'bytes 0-999/1000'],
    ['bytes=0-9,5-20', 'bytes 0-20/1000'],
  ])('%s is %s', (range, contentRange) => {
    expect(ask({ range })).toMatchObject({ status: 206, headers: { 'content-range': contentRange } })
  })

  it('of several parts has each part with its position, and the announced length', async () => {
    const reply = ask({ range: 'bytes=0-1,500-501,-2' })
    const body = await bodyOf(reply)
    expect(reply.headers['content-type']).toMatch(/^multipart\/byteranges; boundary=/)
    expect(Number(reply.headers['content-length'])).toBe(body.length)
    const text = String.fromCharCode(...body)
    for (const part of ['0-1', '500-501', '998-999'])
      expect(text).toContain(`Content-Range: bytes ${part}/1000\r\n\r\n`)
  })

  it('beyond the end is 416 with the size', () => {
    expect(ask({ range: 'bytes=1000-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */1000' },
    })
  })

  it.each([
    'bytes',
    'items=0-1',
    'bytes=a-b',
    `bytes=${Array.from({ length: 11 }, (_, n) => `${n * 9}-${n * 9}`).join()}`,
  ])('that cannot be served is ignored and all bytes are sent: %s', (range) => {
    expect(ask({ range }).status).toBe(200)
  })

  it('applies only while the bytes match If-Range', () => {
    const range = 'bytes=0-1'
    expect(ask({ range, 'if-range': '"tag"' }).status).toBe(206)
    for (const other of ['"other"', 'W/"tag"', 'Sat, 21 Nov 2026 10:00:00 GMT'])
      expect(ask({ range, 'if-range': other }).status).toBe(200)
  })

  it('is not supported for bytes whose number is not known', () => {
    expect(ask({ range: 'bytes=0-1' }, { of: { ...source, size: null } }).status).toBe(200)
  })
})
