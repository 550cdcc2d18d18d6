import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { DefaultHttpStack, Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { startTus, statusOf, tusOptions, type TusUpload } from '../../test/tus.ts'

const mebibyte = 1024 * 1024
const bytes = randomBytes(3 * mebibyte)

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
})
afterAll(() => server.close())

/** Downloads the bytes of an item. */
async function downloaded(itemId: string): Promise<Buffer> {
  return bytesOf(await server.fetch(`/api/assets/magazine/${itemId}/original`))
}

/** Resolves when the server has this many bytes. */
function reached({ upload }: TusUpload, offset: number): Promise<void> {
  return new Promise((resolve) => {
    upload.options.onProgress = (sent) => {
      if (sent >= offset) resolve()
    }
  })
}

const head = async (url: string) => {
  const { pathname } = new URL(url)
  return server.fetch(pathname, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
}

describe('tus-js-client', () => {
  it.each([
    ['in one request', {}],
    ['in chunks', { chunkSize: 700_000 }],
    ['with the first bytes in the creation', { uploadDataDuringCreation: true }],
    ['with the first chunk in the creation', { uploadDataDuringCreation: true, chunkSize: mebibyte }],
    ['by POST alone', { overridePatchMethod: true, chunkSize: mebibyte }],
  ] satisfies [string, UploadOptions][])('uploads %s', async (_, options) => {
    const { upload, done } = startTus(server, bytes, options)
    const itemId = await done
    expect((await downloaded(itemId)).equals(bytes)).toBe(true)
    const item = await server.api.items.get({ configId: 'magazine', id: itemId })
    expect(item).toMatchObject({ name: 'upload', originalFileName: 'upload.bin', latestVersion: 1 })
    const after = await head(upload.url ?? '')
    expect(Object.fromEntries(after.headers)).toMatchObject({
      'quire-item-id': itemId,
      'upload-offset': String(bytes.length),
      'upload-length': String(bytes.length),
      'cache-control': 'no-store',
    })
  })

  it('uploads an empty file', async () => {
    const { done } = startTus(server, Buffer.alloc(0), { metadata: { filename: 'empty.txt' } })
    const itemId = await done
    expect((await downloaded(itemId)).length).toBe(0)
  })

  it('pauses, and resumes from the stored address', async () => {
    const stored = storedUrls()
    const first = startTus(server, bytes, { ...slow(20), ...stored, storeFingerprintForResuming: true })
    await reached(first, mebibyte)
    await first.upload.abort()
    // Bytes in transit when the connection breaks may still arrive.
    await expect
      .poll(async () => Number((await head(first.upload.url ?? '')).headers.get('upload-offset')))
      .toBeGreaterThan(0)
    const sent: number[] = []
    const { promise: done, resolve, reject } = Promise.withResolvers<string>()
    const next = new Upload(bytes, {
      ...tusOptions(server, { ...stored, retryDelays: [50, 200, 1000] }),
      onBeforeRequest: (request) => {
        const offset = request.getHeader('Upload-Offset')
        if (offset !== undefined) sent.push(Number(offset))
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('quire-item-id') ?? ''),
      onError: reject,
    })
    const [previous] = await next.findPreviousUploads()
    if (!previous) throw new Error('no address was stored')
    next.resumeFromPreviousUpload(previous)
    next.start()
    const itemId = await done
    expect(next.url).toBe(first.upload.url)
    expect(sent[0]).toBeGreaterThan(0)
    expect((await downloaded(itemId)).equals(bytes)).toBe(true)
  })

  it('uploads ten files at once', async () => {
    const files = Array.from({ length: 10 }, () => randomBytes(mebibyte))
    const ids = await Promise.all(
      files.map((file, index) => startTus(server, file, { metadata: { name: `Of ten ${index}` } }).done),
    )
    expect(new Set(ids).size).toBe(10)
    for (const [index, id] of ids.entries())
      expect((await downloaded(id)).equals(files[index] ?? Buffer.alloc(0))).toBe(true)
  })

  it('creates a new version of the named asset', async () => {
    const asset = await server.upload(bytes.subarray(0, 100), { name: 'first.bin' })
    const { done } = startTus(server, bytes, { metadata: { itemId: asset.id } })
    expect(await done).toBe(asset.id)
    const item = await server.api.items.get({ configId: 'magazine', id: asset.id })
    expect([item.latestVersion, item.asset?.size]).toEqual([2, bytes.length])
  })

  it('terminates an upload', async () => {
    const { upload } = startTus(server, bytes, { ...slow(5), retryDelays: [20, 100, 500] })
    await expect.poll(() => upload.url).not.toBeNull()
    const url = upload.url ?? ''
    // The service may not have noticed the broken connection: then it answers 423, and the client
    // retries.
    await upload.abort(true)
    expect((await head(url)).status).toBe(404)
    expect(await statusOf(startTus(server, bytes, { uploadUrl: url, endpoint: null }).done)).toBe(404)
  })

  it('gets the reason when its metadata is invalid', async () => {
    const of = (metadata: Record<string, string>) => statusOf(startTus(server, bytes, { metadata }).done)
    expect(await of({ repositoryId: 'nowhere' })).toBe(404)
    expect(await of({ type: 'article' })).toBe(400)
    expect(await of({ fields: 'no JSON' })).toBe(400)
    expect(await of({ itemId: 'CONT_nothing' })).toBe(404)
  })
})

/** Options that send a few KiB at an interval in milliseconds. */
function slow(milliseconds: number): UploadOptions {
  const stack = new DefaultHttpStack({})
  return {
    chunkSize: 64 * 1024,
    httpStack: stack,
    onAfterResponse: () => wait(milliseconds),
  }
}

/** Stores the addresses of uploads as a browser does, in memory. */
function storedUrls(): Required<Pick<UploadOptions, 'urlStorage' | 'fingerprint'>> {
  const stored = new Map<string, Awaited<ReturnType<Upload['findPreviousUploads']>>[number]>()
  const ofFingerprint = (wanted: string) =>
    [...stored].filter(([key]) => key.startsWith(wanted)).map(([, previous]) => previous)
  return {
    fingerprint: () => Promise.resolve('the-file'),
    urlStorage: {
      findAllUploads: () => Promise.resolve([...stored.values()]),
      findUploadsByFingerprint: (wanted) => Promise.resolve(ofFingerprint(wanted)),
      removeUpload: (key) => {
        stored.delete(key)
        return Promise.resolve()
      },
      addUpload: (fingerprint, previous) => {
        const key = `${fingerprint}::${stored.size}`
        stored.set(key, { ...previous, urlStorageKey: key })
        return Promise.resolve(key)
      },
    },
  }
}
