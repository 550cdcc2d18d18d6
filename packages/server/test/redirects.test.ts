import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { openS3Blobs, type S3Blobs } from '@quire/blobs-s3'
import { createClient } from '@quire/client'
import type { Item } from '@quire/contract'
import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Log } from '@quire/core/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { startFaultProxy, type FaultProxy } from '../../blobs-s3/test/fault-proxy.ts'
import { useSwift } from '../../../test/services/swift.ts'
import { serve, type Serving } from './serving.ts'

const MiB = 1024 * 1024

describe('a download where redirects are on', () => {
  const swift = useSwift()
  let bucket: FaultProxy
  let blobs: S3Blobs
  let server: Serving
  /** Requests that reach the bucket, directly and through the service. */
  const asked: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  const logged: string[] = []

  beforeEach(async () => {
    bucket = await startFaultProxy(swift().endpoint)
    const prefix = `${randomUUID()}/`
    blobs = await openS3Blobs({ ...swift().options, prefix, endpoint: bucket.endpoint })
    bucket.follow(({ url = '', headers }) => {
      asked.push({ url, headers })
      return null
    })
    const log: Log = { write: (...line) => void logged.push(JSON.stringify(line)) }
    const baseUrl = 'http://quire.test'
    const quire = createQuire({ store: createMemoryStore(), blobs, baseUrl, log, redirectDownloads: true })
    server = await serve({ quire, log, requestLog: log })
    await server.api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
    return async () => {
      await server.app.close()
      await bucket.close()
    }
  })

  const upload = (bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Item> =>
    server.api.assets.create({ configId: 'magazine', type: 'file', file: new File([bytes], name) })

  const get = (item: Item, init: RequestInit = {}) =>
    server.fetch(`/api/assets/magazine/${item.id}/original`, { redirect: 'manual', ...init })

  it('gets its bytes from the bucket, without the token', async () => {
    const bytes = randomBytes(2 * MiB)
    const item = await upload(bytes, 'Öl €.bin')
    const { clientId, clientSecret, baseUrl } = server
    const client = createClient({ baseUrl, auth: { clientId, clientSecret } })
    asked.length = 0
    const binary = await client.assets.get({
      configId: 'magazine',
      assetId: item.id,
      rendition: 'original',
    })
    expect(binary).toMatchObject({ fileName: 'Öl €.bin', mimeType: 'application/octet-stream' })
    expect(hashOf(await binary.bytes())).toBe(hashOf(bytes))
    const followed = asked.filter(({ url }) => url.includes('X-Amz-Signature'))
    expect(followed).toHaveLength(1)
    expect(followed[0]?.headers.authorization).toBeUndefined()
  })

  it('has the same headers from the bucket as from the service, also for active content', async () => {
    const filler = Buffer.alloc(2 * MiB, 32)
    const files = {
      'a.html': '<html><script>alert(1)</script>',
      'a.png': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      'a.js': 'alert(1)',
      'b.gif': 'GIF89a',
    }
    for (const [name, start] of Object.entries(files)) {
      const item = await upload(new Uint8Array(Buffer.concat([Buffer.from(start), filler])), name)
      // As stored: the service itself sends a text compressed to clients that accept it.
      const here = await get(item, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
      const there = await fetch((await get(item)).headers.get('location') ?? '')
      await there.body?.cancel()
      expect(there.status).toBe(200)
      for (const header of ['content-type', 'content-disposition', 'content-length'])
        expect(there.headers.get(header), `${name}: ${header}`).toBe(here.headers.get(header))
      const isVisible = name === 'b.gif'
      expect(there.headers.get('content-disposition')?.startsWith('inline')).toBe(isVisible)
    }
  })

  it('of a range gets that range', async () => {
    const bytes = randomBytes(2 * MiB)
    const item = await upload(bytes, 'a.bin')
    const range = { range: 'bytes=1000000-1000099' }
    const part = await get(item, { headers: range, redirect: 'follow' })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1_000_000, 1_000_100))
    expect((await get(item, { headers: { range: 'bytes=9999999-' } })).status).toBe(416)
  })

  it('is sent by the service when the file is small, and always in process', async () => {
    const small = await upload(randomBytes(MiB), 'small.bin')
    expect((await get(small)).status).toBe(200)
    const bytes = randomBytes(2 * MiB)
    const large = await upload(bytes, 'large.bin')
    expect((await get(large)).status).toBe(302)
    const at = { configId: 'magazine', assetId: large.id, rendition: 'original' }
    expect(hashOf(await (await server.api.assets.get(at)).bytes())).toBe(hashOf(bytes))
  })

  it('without permission gets no address', async () => {
    const item = await upload(randomBytes(2 * MiB), 'secret.bin')
    const role = await server.api.roles.create({
      name: 'Readers',
      permissions: { global: ['items.read', 'assets.read'] },
    })
    const { id, secret } = await server.api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
    const token = await tokenOf(id, secret)
    asked.length = 0
    for (const authorization of [`Bearer ${token}`, 'Bearer wrong', '']) {
      const answer = await get(item, { headers: { authorization } })
      expect([401, 403, 404]).toContain(answer.status)
      expect(answer.headers.get('location')).toBeNull()
    }
    expect((await get({ ...item, id: 'ITEM_01JXSC6G000000000000000001' })).status).toBe(404)
    expect(asked).toEqual([])
  })

  async function tokenOf(id: string, secret: string): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    const answer = await fetch(`${server.baseUrl}/oauth2/token`, { method: 'POST', body })
    const { access_token } = (await answer.json()) as { access_token: string }
    return access_token
  }

  it('of a missing file is 404, as without redirects', async () => {
    const bytes = randomBytes(2 * MiB)
    const item = await upload(bytes, 'gone.bin')
    await blobs.delete(hashOf(bytes))
    expect((await get(item)).status).toBe(404)
    expect(logged.some((line) => line.includes('blob.missing'))).toBe(true)
  })

  it('of published content has an address for everybody, and none before', async () => {
    const bytes = randomBytes(2 * MiB)
    const { id } = await upload(bytes, 'a.bin')
    const read = (init: RequestInit = {}) =>
      fetch(`${server.baseUrl}/api/published/assets/magazine/${id}/original`, init)
    expect((await read()).status).toBe(401)
    await server.api.repositories.update({ id: 'magazine', public: true })
    expect((await read()).status).toBe(404)
    await server.api.items.publish({ configId: 'magazine', id })
    const led = await read({ redirect: 'manual' })
    expect([led.status, led.headers.get('cross-origin-resource-policy')]).toEqual([302, 'cross-origin'])
    expect(led.headers.get('cache-control')).toBe('private, no-store')
    expect(hashOf(await (await read()).bytes())).toBe(hashOf(bytes))
  })

  it('is 503 while the bucket fails', async () => {
    const item = await upload(randomBytes(2 * MiB), 'a.bin')
    bucket.follow(() => 'broken')
    const answer = await get(item)
    expect([answer.status, answer.headers.get('location')]).toEqual([503, null])
  })

  it('expires with its address, and logs no address', async () => {
    const bytes = randomBytes(2 * MiB)
    const { hash } = await blobs.put(once(bytes))
    const about = { contentType: 'image/png', contentDisposition: 'attachment', expiresIn: 1 }
    const address = await blobs.locate(hash, about)
    const refused = async () => {
      const { status, body } = await fetch(address)
      await body?.cancel()
      return status
    }
    await expect.poll(refused, { timeout: 15_000, interval: 500 }).toBe(403)
    await get(await upload(bytes, 'a.bin'))
    expect(logged.length).toBeGreaterThan(0)
    for (const word of ['X-Amz-', 'testing-secret', server.token])
      expect(logged.filter((line) => line.includes(word))).toEqual([])
  })
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
