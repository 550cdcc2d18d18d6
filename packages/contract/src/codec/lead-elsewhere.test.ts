import { describe, expect, it } from 'vitest'
import type { BinarySource, LocatedBytes } from '../binary.ts'
import { encodeBinary, leadElsewhere, type BinaryReply } from './index.ts'

const at = 'https://storage.test/blob?signature=x'

/** The arguments of each request for a URL. */
let given: LocatedBytes[] = []

const source: BinarySource = {
  mimeType: 'text/html',
  fileName: 'Öl €.html',
  size: 1000,
  etag: 'tag',
  disposition: 'attachment',
  isImmutable: false,
  isNegotiated: false,
  async locate(about) {
    given.push(about)
    return at
  },
  open: () => Promise.reject(new Error('the bytes are not opened here')),
}

async function ask(headers: Record<string, string> = {}, { method = 'GET', of = source } = {}) {
  given = []
  const request = { method, header: (name: string) => headers[name], requestId: 'REQ' }
  const reply = encodeBinary(of, request)
  return 'open' in reply ? leadElsewhere(of, request, reply) : reply
}

describe('bytes that have their own URL', () => {
  it('are redirected to, with the same type and disposition, in ASCII', async () => {
    expect(await ask()).toEqual({
      status: 302,
      headers: {
        'x-request-id': 'REQ',
        location: at,
        'cache-control': 'private, no-store',
        'cross-origin-resource-policy': 'same-origin',
      },
      open: undefined,
    })
    expect(given).toEqual([
      {
        expiresIn: 300,
        contentType: 'text/html',
        contentDisposition: `attachment; filename="?l ?.html"; filename*=UTF-8''%C3%96l%20%E2%82%AC.html`,
      },
    ])
  })

  it('are redirected to for less time than the URL is valid, if they never change', async () => {
    const reply = await ask({}, { of: { ...source, isImmutable: true } })
    const [, seconds] = /^private, max-age=(\d+)$/.exec(reply.headers['cache-control'] ?? '') ?? []
    expect(Number(seconds)).toBeLessThan(given[0]?.expiresIn ?? 0)
  })

  it.each([{}, { range: 'bytes=0-9' }, { range: 'bytes=0-9', 'if-range': '"of-the-storage"' }])(
    'are redirected to for %o',
    async (headers) => expect((await ask(headers)).status).toBe(302),
  )

  it.each([
    ['304 for a caller that has them', { 'if-none-match': '"tag"' }, 304],
    ['416 for an unsatisfiable range', { range: 'bytes=1000-' }, 416],
    ['sent by the service in several parts', { range: 'bytes=0-1,500-501' }, 206],
    [
      'sent by the service to a caller that continues a download',
      { range: 'bytes=5-', 'if-range': '"tag"' },
      206,
    ],
  ])('are %s', async (_, headers, status) => {
    expect((await ask(headers)).status).toBe(status)
    expect(given).toEqual([])
  })

  it('are described by the service itself for HEAD', async () => {
    expect(await ask({}, { method: 'HEAD' })).toMatchObject({ status: 200, open: undefined })
    expect(given).toEqual([])
  })

  it('are sent by the service if there is no URL after all', async () => {
    const reply = (await ask({}, { of: { ...source, locate: async () => null } })) as BinaryReply
    expect(reply.status).toBe(200)
    await expect(reply.open?.()).rejects.toThrow('the bytes are not opened here')
  })
})
