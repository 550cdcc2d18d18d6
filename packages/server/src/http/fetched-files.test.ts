import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Blobs, Bytes } from '@quire/core/ports'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aFileServer, serveFetching, writeSteadily } from '../../test/fetched-files.ts'

afterEach(() => void vi.useRealTimers())

/** A server that may send to this machine, and fetch from these origins. */
function serveLocally(origins: readonly string[]) {
  return serveFetching({ origins, egress: { allow: ['127.0.0.1'] } })
}

async function errorOf(response: Promise<Response>) {
  const answer = await response
  return { status: answer.status, ...((await answer.json()) as { code: string; message: string }) }
}

describe('a fetched file', () => {
  it('is requested without anything of the caller, and stored as it arrives', async () => {
    const files = await aFileServer((_, response) => {
      response.setHeader('content-disposition', 'attachment; filename="note.txt"')
      response.end('some words')
    })
    const quire = await serveLocally([files.origin])
    const headers = { 'content-type': 'application/json', cookie: 'token=mine', 'x-forwarded-for': '1.2.3.4' }
    const response = await quire.fetchFile(`${files.origin}/a?b=1#c`, {}, { headers })
    expect(response.status).toBe(201)
    const hash = createHash('sha256').update('some words').digest('hex')
    expect(await response.json()).toMatchObject({
      originalFileName: 'note.txt',
      asset: { mimeType: 'text/plain', size: 10, hash },
    })
    expect(quire.storedFiles()).toEqual([hash])
    const [request] = files.requests
    expect([request?.method, request?.url]).toEqual(['GET', '/a?b=1'])
    expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  it('may take longer than other answers', async () => {
    const files = await aFileServer((_, response) => void setTimeout(() => response.end('late'), 200))
    const egress = { allow: ['127.0.0.1'] }
    const quire = await serveFetching({ origins: [files.origin], egress, answerMs: 50 })
    expect((await quire.fetchFile(`${files.origin}/late.txt`)).status).toBe(201)
  })

  it('is never in memory as a whole', async () => {
    const size = 64 * 1024 ** 2
    let written = () => 0
    const files = await aFileServer((_, response) => {
      written = writeSteadily(response, size)
    })
    let most = 0
    // Stores slowly, so that what is ahead of it shows.
    const wrap = (blobs: Blobs): Blobs => ({
      ...blobs,
      put: (bytes) => blobs.put(slowly(bytes, (stored) => (most = Math.max(most, written() - stored)))),
    })
    const egress = { allow: ['127.0.0.1'] }
    const quire = await serveFetching({ origins: [files.origin], egress, wrap })
    const response = await quire.fetchFile(`${files.origin}/large.bin`)
    expect(await response.json()).toMatchObject({ asset: { size } })
    // The buffers of two sockets, which the kernel sizes.
    expect(most).toBeLessThan(size / 4)
  })
})

async function* slowly(bytes: Bytes, note: (stored: number) => void): AsyncGenerator<Uint8Array> {
  let stored = 0
  for await (const chunk of bytes) {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    stored += chunk.length
    note(stored)
    yield chunk
  }
}

describe('redirects of a file', () => {
  it('are followed three times, to origins that the repository names', async () => {
    const files = await aFileServer((path, response) => {
      const left = Number(path.slice(1))
      if (left === 0) response.end('found')
      else response.writeHead([301, 307, 308, 302][left] ?? 302, { location: `/${left - 1}` }).end('moved')
    })
    const quire = await serveLocally([files.origin])
    expect((await quire.fetchFile(`${files.origin}/3`)).status).toBe(201)
    expect(await errorOf(quire.fetchFile(`${files.origin}/4`))).toMatchObject({
      status: 502,
      code: 'upstream_failed',
      message: `The file could not be fetched: ${files.origin} redirects more than 3 times.`,
    })
    expect(files.requests).toHaveLength(8)
  })

  it('are not followed to another origin, even on an address that the operator allows', async () => {
    const other = await aFileServer((_, response) => response.end('internal'))
    const files = await aFileServer((_, response) =>
      response.writeHead(302, { location: `${other.origin}/secret` }).end(),
    )
    const quire = await serveLocally([files.origin])
    const { status, message } = await errorOf(quire.fetchFile(`${files.origin}/a`))
    expect(status).toBe(403)
    expect(message).toContain(other.origin)
    expect(other.requests).toEqual([])
    expect(await quire.countAssets()).toBe(0)
  })
})

describe('an address', () => {
  it('is refused for an origin that the repository does not name', async () => {
    const files = await aFileServer((_, response) => response.end('text'))
    const quire = await serveLocally(['https://files.example.org'])
    const { status, code, message } = await errorOf(quire.fetchFile(`${files.origin}/a`))
    expect([status, code]).toEqual([403, 'forbidden'])
    expect(message).toContain('settings.assets.fetchOrigins')
    expect(files.requests).toEqual([])
  })

  it('is refused if it is not public, although the repository names its origin', async () => {
    const files = await aFileServer((_, response) => response.end('text'))
    const named = `http://files.example.org:${files.port}`
    const lookup = async () => ['127.0.0.1']
    const quire = await serveFetching({ origins: [files.origin, named], egress: { lookup } })
    expect(await errorOf(quire.fetchFile(`${files.origin}/a`))).toMatchObject({
      status: 400,
      code: 'invalid',
    })
    expect(await errorOf(quire.fetchFile(`${named}/a`))).toMatchObject({
      status: 502,
      code: 'upstream_failed',
      message: `The file could not be fetched from ${named}: "files.example.org" is not at a public address. The operator of the service can allow it.`,
    })
    expect(files.requests).toEqual([])
  })
})

describe('a fetch that fails leaves no file and no item', () => {
  it.each([
    ['it sends no response', 'silent'],
    ['it stops in the middle', 'stalled'],
  ])('because for 30 seconds %s', async (_, path) => {
    const files = await aFileServer((url, response) => {
      if (url === '/stalled') response.writeHead(200, { 'content-length': 1000 }).write('x'.repeat(100))
    })
    const quire = await serveLocally([files.origin])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failed = errorOf(quire.fetchFile(`${files.origin}/${path}`))
    await expect.poll(() => files.requests.length).toBe(1)
    let isOver = false
    void failed.then(() => (isOver = true))
    await expect
      .poll(() => {
        vi.advanceTimersByTime(5_000)
        return isOver
      })
      .toBe(true)
    expect(await failed).toMatchObject({ status: 504, code: 'upstream_timeout' })
    vi.useRealTimers()
    await expect.poll(() => files.open()).toBe(0)
    expect([quire.storedFiles(), await quire.countAssets()]).toEqual([[], 0])
  })

  it('because it is endless', async () => {
    let written = () => 0
    const files = await aFileServer((_, response) => {
      written = writeSteadily(response)
    })
    const quire = await serveLocally([files.origin])
    expect(await errorOf(quire.fetchFile(`${files.origin}/a`, { type: 'note' }))).toMatchObject({
      status: 400,
      message: 'url: has more than 1000000 bytes',
    })
    await expect.poll(() => files.open()).toBe(0)
    // The buffers of two sockets, which the kernel sizes.
    expect(written()).toBeLessThan(16 * 1024 ** 2)
    expect([quire.storedFiles(), await quire.countAssets()]).toEqual([[], 0])
  })

  it('because its type does not accept it, of which only the first bytes are read', async () => {
    let written = () => 0
    const files = await aFileServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 1_000_000_000 })
      response.write('%PDF-1.7\n')
      written = writeSteadily(response)
    })
    const quire = await serveLocally([files.origin])
    const { status, message } = await errorOf(quire.fetchFile(`${files.origin}/a`, { type: 'note' }))
    expect([status, message]).toEqual([400, expect.stringContaining('is application/pdf')])
    await expect.poll(() => files.open()).toBe(0)
    expect(written()).toBeLessThan(16 * 1024 ** 2)
    expect([quire.storedFiles(), await quire.countAssets()]).toEqual([[], 0])
  })

  it('because the connection is cut', async () => {
    const files = await aFileServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 })
      response.write('x'.repeat(200_000), () => response.destroy())
    })
    const quire = await serveLocally([files.origin])
    expect(await errorOf(quire.fetchFile(`${files.origin}/a`))).toMatchObject({
      status: 502,
      code: 'upstream_failed',
    })
    expect([quire.storedFiles(), await quire.countAssets()]).toEqual([[], 0])
  })

  it('because its caller leaves', async () => {
    const files = await aFileServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 })
      response.write('x'.repeat(200_000))
    })
    const quire = await serveLocally([files.origin])
    const leaving = new AbortController()
    const { signal } = leaving
    const headers = { 'content-type': 'application/json' }
    const fetching = quire.fetchFile(`${files.origin}/a`, {}, { signal, headers })
    await expect.poll(() => quire.storedFiles().length).toBe(1)
    leaving.abort()
    await expect(fetching).rejects.toThrow('abort')
    await expect.poll(() => files.open()).toBe(0)
    await expect.poll(() => quire.storedFiles()).toEqual([])
    expect(await quire.countAssets()).toBe(0)
  })
})
