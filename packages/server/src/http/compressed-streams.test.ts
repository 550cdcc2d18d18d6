import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import type * as Zlib from 'node:zlib'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveAssets, someBytes, type AssetServing } from '../../test/asset-serving.ts'
import { openStream } from '../../test/events.ts'

/** The created compressors of streams. */
const compressors = vi.hoisted((): Transform[] => [])

vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof Zlib>()
  const stored = <T extends Transform>(made: T): T => {
    compressors.push(made)
    return made
  }
  return {
    ...zlib,
    createGzip: () => stored(zlib.createGzip()),
    createBrotliCompress: (...given: Parameters<typeof zlib.createBrotliCompress>) =>
      stored(zlib.createBrotliCompress(...given)),
  }
})

const MiB = 1024 * 1024
const configId = 'magazine'
const codings = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const

let server: AssetServing
/**
 * Texts by kind: `read` is sent from memory, `long` is larger than what is verified before the
 * first byte (8 MiB).
 */
const texts = { read: textOf(MiB, 1), long: textOf(20 * MiB, 2) }
const paths: Record<string, string> = {}

beforeAll(async () => {
  server = await serveAssets()
  const { api } = server
  await api.repositories.update({ id: configId, public: true })
  for (const [name, bytes] of Object.entries(texts)) {
    const { id } = await server.upload(bytes, { name: `${name}.txt`, type: 'text/plain' })
    paths[name] = `/api/assets/${configId}/${id}/original`
  }
  for (let number = 0; number < 200; number++)
    await api.items.create({ repositoryId: configId, type: 'article', name: `Article ${number} – “Ink”` })
  paths['list'] = `/api/items/${configId}?limit=200`
  const page = '{% for number in (1..20000) %}<p>Ink and paper {{ number }}</p>{% endfor %}'
  const site = await api.sites.create({ configId, name: 'Long', slug: 'long', templates: { page } })
  const ref = { configId, siteId: site.id }
  const section = await api.sections.create({ ...ref, name: 'Home' })
  await api.pages.create({ ...ref, sectionId: section.id, name: 'Long', slug: 'long' })
  await api.sites.publish(ref)
  await server.quire.settled()
  const [publication] = (await api.sites.publications(ref)).items
  paths['page'] = '/sites/long/home/long/'
  paths['zip'] = `/api/sites/${configId}/${site.id}/publications/${publication?.id}/zip`
})
afterAll(() => server.close())

/** Text that compresses to half its size and repeats only over long distances. */
function textOf(size: number, seed: number): Buffer {
  return Buffer.from(Buffer.from(someBytes(size / 2, seed)).toString('hex'))
}

type Sent = Readonly<Record<string, string>>

/** The headers of a response as sent, with its body unread. */
function ask(path: string, headers: Sent = {}, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${server.token}`
    const asking = request(
      `${server.baseUrl}${path}`,
      { method, headers: { authorization, ...headers } },
      resolve,
    )
    asking.on('error', reject)
    asking.end()
  })
}

async function read(path: string, headers: Sent = {}, method = 'GET') {
  const answer = await ask(path, headers, method)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }
}

/**
 * Headers of a response, except those that differ for each response, and those that only follow
 * from producing the body (RFC 9110 §9.3.2).
 */
function reported(headers: IncomingHttpHeaders): Sent {
  const own = ['date', 'x-request-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) as Sent
}

/** The open files of the storage. */
function openFiles(): string[] {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(server.folder))
}

describe.each(codings)('a response that is compressed by %s while it is sent', (coding, unpack) => {
  const takes = { 'accept-encoding': coding }

  it.each(['read', 'long', 'page', 'list'])('has the same bytes when decompressed: %s', async (name) => {
    const path = paths[name] ?? ''
    const plain = await read(path, { 'accept-encoding': 'identity' })
    const packed = await read(path, takes)
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
      undefined,
      coding,
    ])
    expect(plain.bytes.length).toBeGreaterThan(64 * 1024)
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
    expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true)
    const uploaded = new Map(Object.entries(texts)).get(name) ?? plain.bytes
    expect(plain.bytes.equals(uploaded)).toBe(true)
  })

  it.each(['read', 'long', 'page', 'list', 'zip'])(
    'has the headers of a GET for a HEAD: %s',
    async (name) => {
      const path = paths[name] ?? ''
      const got = await read(path, takes)
      const head = await read(path, takes, 'HEAD')
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      expect(reported(head.headers)).toEqual(reported(got.headers))
      expect([undefined, String(got.bytes.length)]).toContain(head.headers['content-length'])
    },
  )

  it('does not stay open when the client disconnects in the middle', async () => {
    const made = compressors.length
    const answer = await ask(paths['long'] ?? '', takes)
    expect(answer.headers['content-encoding']).toBe(coding)
    await once(answer, 'readable')
    expect(answer.read()).not.toBeNull()
    expect(openFiles()).toHaveLength(1)
    const [compressor, ...more] = compressors.slice(made)
    expect([compressor?.destroyed, more.length]).toEqual([false, 0])
    answer.destroy()
    await expect.poll(openFiles).toEqual([])
    await expect.poll(() => compressor?.destroyed).toBe(true)
  })

  it('breaks off when its source does, and does not look complete', async () => {
    const bytes = textOf(12 * MiB, 3 + coding.length)
    const { id } = await server.upload(bytes, { name: 'torn.txt' })
    damage(bytes)
    const answer = await ask(`/api/assets/${configId}/${id}/original`, takes)
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, coding])
    const chunks: Buffer[] = []
    const failed = await (async () => {
      for await (const chunk of answer) chunks.push(chunk as Buffer)
    })().catch((error: Error) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(() => unpack(Buffer.concat(chunks))).toThrow(/unexpected end of file/i)
    await expect.poll(openFiles).toEqual([])
  })
})

describe('a response that is not compressed', () => {
  const takes = { 'accept-encoding': 'br, gzip' }

  it('is an archive, which is compressed already', async () => {
    const plain = await read(paths['zip'] ?? '')
    const { headers, bytes } = await read(paths['zip'] ?? '', takes)
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['application/zip', undefined])
    expect(headers['vary'] ?? '').not.toContain('Accept-Encoding')
    expect(bytes.equals(plain.bytes)).toBe(true)
    const served = await read(paths['page'] ?? '')
    expect(bytes.includes(served.bytes)).toBe(true)
  })

  it.each([
    ['bytes=0-0', 1],
    ['bytes=1000-70000', 69_001],
    ['bytes=-5', 5],
  ])('is a range: %s', async (range, length) => {
    for (const name of ['read', 'long', 'page'] as const) {
      const path = paths[name] ?? ''
      const plain = await read(path, { range })
      const { status, headers, bytes } = await read(path, { ...takes, range })
      expect([name, status, headers['content-encoding']]).toEqual([name, 206, undefined])
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(bytes).toHaveLength(length)
      expect(bytes.equals(plain.bytes)).toBe(true)
      expect(headers['etag']).toBe(plain.headers['etag'])
    }
  })

  it('is one of several ranges', async () => {
    const { status, headers, bytes } = await read(paths['read'] ?? '', {
      ...takes,
      range: 'bytes=0-999,5000-7000',
    })
    expect([status, headers['content-encoding']]).toEqual([206, undefined])
    for (const part of [texts.read.subarray(0, 1000), texts.read.subarray(5000, 7001)])
      expect(bytes.includes(part)).toBe(true)
  })

  it('is never a range for a client that has a compressed form: it is sent the whole body', async () => {
    const path = paths['read'] ?? ''
    const packed = await read(path, takes)
    const tag = String(packed.headers['etag'])
    expect(tag).toMatch(/-br"$/)
    const answer = await read(path, { ...takes, range: 'bytes=0-9', 'if-range': tag })
    expect([answer.status, answer.headers['etag']]).toEqual([200, tag])
    expect(answer.bytes.equals(packed.bytes)).toBe(true)
  })

  it('is a stream of events, each sent at once', async () => {
    const stream = await openStream(server, '/api/events', takes)
    expect(stream.response.headers.get('content-encoding')).toBeNull()
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    for (const name of ['First', 'Second']) {
      const { id } = await server.api.items.create({ repositoryId: configId, type: 'article', name })
      // The stream stays open: an event that waited for more to compress would be missing here.
      await stream.until(new RegExp(id))
    }
    stream.leave()
  })
})

/** Changes a byte of a stored file. */
function damage(bytes: Buffer): void {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const file = join(server.folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
  const damaged = Buffer.from(bytes)
  damaged.writeUInt8(damaged.readUInt8(10 * MiB) ^ 1, 10 * MiB)
  writeFileSync(file, damaged)
}
