import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { sweepBlobs } from '@quire/core'
import { createMemoryStore, fixedClock } from '@quire/core/memory'
import { BlobsUnavailable } from '@quire/core/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { openS3Blobs, type S3Blobs } from '../src/index.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { bucket, useSwift } from '../../../test/services/swift.ts'

const MiB = 1024 * 1024
const day = 24 * 60 * 60 * 1_000
const uploadId = 'UPLD_01JXSC6G000000000000000001'

describe('binaries in a bucket', () => {
  const swift = useSwift()
  let prefix: string
  let blobs: S3Blobs
  const open = () => openS3Blobs({ ...swift().options, prefix })
  beforeEach(async () => {
    prefix = `${randomUUID()}/`
    blobs = await open()
  })

  const names = async () => {
    const { Contents = [] } = await swift().client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }),
    )
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length))
  }

  const uploads = async () => {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })
    const { Uploads = [] } = await swift().client.send(command)
    return Uploads.map(({ Key = '' }) => Key.slice(prefix.length))
  }

  it('leave no temporary object, piece or upload behind', async () => {
    const bytes = randomBytes(20 * MiB)
    const gone = new Error('gone')
    async function* broken() {
      yield bytes
      throw gone
    }
    await expect(blobs.put(broken())).rejects.toBe(gone)
    const { hash } = await blobs.put(chunks(bytes))
    await blobs.partials.begin(uploadId, 10)
    await blobs.partials.append(uploadId, { offset: 0, bytes: chunks(bytes) })
    await blobs.partials.finish(uploadId, bytes.length)
    await blobs.partials.discard(uploadId)
    const stored = (await names()).map((name) => name.replace(/(?:age|etag)-.*$/, ''))
    expect(stored).toEqual([`blobs/${hash}`, `notes/${hash}/`, `notes/${hash}/`])
    expect(await uploads()).toEqual([])
  })

  it('are removed when they are unfinished for a day', async () => {
    const put = (name: string) =>
      swift().client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + name, Body: 'x' }))
    await blobs.partials.begin(uploadId, 10)
    await blobs.partials.append(uploadId, { offset: 0, bytes: chunks(randomBytes(10)) })
    await put(`temp/${randomUUID()}`)
    await put(`pieces/${uploadId.slice(0, -1)}2/${randomUUID()}`)
    const Key = `${prefix}temp/${randomUUID()}`
    await swift().client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    const before = await names()
    const sweepAt = (now: number) => sweepBlobs({ store: createMemoryStore(), blobs, clock: fixedClock(now) })
    await sweepAt(Date.now() + day - 60_000)
    expect(await names()).toEqual(before)
    expect(await uploads()).toHaveLength(1)
    await sweepAt(Date.now() + day + 60_000)
    expect(await names()).toEqual([`partial/${uploadId}`, expect.stringContaining(`pieces/${uploadId}/`)])
    expect(await uploads()).toEqual([])
  })

  it('can be read through a signed address, with the type and name that it sets', async () => {
    const bytes = randomBytes(100_000)
    const { hash } = await blobs.put(chunks(bytes))
    const contentDisposition = 'attachment; filename="a.png"'
    const about = { expiresIn: 60, contentType: 'image/png', contentDisposition }
    const url = await blobs.locate(hash, about)
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toBe(contentDisposition)
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
    expect(hashOf(await answer.bytes())).toBe(hash)
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
    expect([part.status, Buffer.from(await part.bytes())]).toEqual([206, bytes.subarray(10, 20)])
    expect((await fetch(url.replace(hash, 'a'.repeat(64)))).status).toBe(403)
    expect((await fetch(url.split('?')[0] ?? '')).ok).toBe(false)
    await expect(blobs.locate('../x', about)).rejects.toThrow(TypeError)
  })

  it('are not sent again when they exist', async () => {
    for (const size of [1_000, 9 * MiB]) {
      const bytes = randomBytes(size)
      const { hash } = await blobs.put(chunks(bytes))
      const etag = await etagOf(hash)
      await blobs.put(chunks(bytes))
      expect(await etagOf(hash)).toEqual(etag)
    }
  })

  async function etagOf(hash: string) {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}blobs/${hash}` })
    const { Contents = [] } = await swift().client.send(command)
    return Contents.map(({ ETag, LastModified }) => ({ ETag, LastModified }))
  }

  it('survive a removal by another process during a put of the same bytes', async () => {
    const other = await open()
    const bytes = randomBytes(20)
    for (let time = 0; time < 30; time += 1) {
      const { hash } = await blobs.put(chunks(bytes))
      await new Promise((resolve) => setTimeout(resolve, time % 25))
      await Promise.all([blobs.put(chunks(bytes)), other.delete(hash, Date.now() - 1)])
      expect(await other.verify(hash), `time ${time}`).toBe('sound')
    }
  }, 60_000)

  it('survive a removal that another process has started', async () => {
    const proxy = await startFaultProxy(swift().endpoint)
    const bytes = randomBytes(20)
    const { hash } = await blobs.put(chunks(bytes))
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    proxy.follow(async ({ method, url }) => {
      if (method !== 'DELETE' || !url?.includes(`/blobs/${hash}`)) return null
      reached.resolve()
      await goOn.promise
      return null
    })
    const other = await openS3Blobs({ ...swift().options, prefix, endpoint: proxy.endpoint })
    const removal = other.delete(hash, Date.now() + 1)
    await reached.promise
    const put = blobs.put(chunks(bytes))
    await new Promise((resolve) => setTimeout(resolve, 300))
    goOn.resolve()
    await Promise.all([removal, put])
    await proxy.close()
    expect(await blobs.verify(hash)).toBe('sound')
  })

  it('of many small appends are stored in few pieces', async () => {
    const bytes = randomBytes(150)
    await blobs.partials.begin(uploadId, bytes.length)
    for (let offset = 0; offset < bytes.length; offset += 1) {
      const piece = { offset, bytes: chunks(bytes.subarray(offset, offset + 1)) }
      await blobs.partials.append(uploadId, piece)
    }
    const again = await open()
    expect((await again.partials.finish(uploadId, bytes.length)).hash).toBe(hashOf(bytes))
  }, 60_000)

  it('of pieces of any size become one blob', async () => {
    const bytes = randomBytes(40 * MiB)
    const ends = [1, 3 * MiB, 3 * MiB + 7, 12 * MiB, 12 * MiB + 1, 18 * MiB, 38 * MiB, 40 * MiB]
    await blobs.partials.begin(uploadId, bytes.length)
    let offset = 0
    for (const end of ends) {
      offset = await blobs.partials.append(uploadId, { offset, bytes: chunks(bytes.subarray(offset, end)) })
    }
    const [known, read] = [blobs, await open()]
    for (const finishing of [known, read]) {
      const { hash } = await finishing.partials.finish(uploadId, bytes.length)
      expect(hash).toBe(hashOf(bytes))
      expect(await blobs.verify(hash)).toBe('sound')
      await blobs.delete(hash)
    }
  }, 60_000)

  it('are refused with a clear reason when they are too large for a bucket', async () => {
    const tooLarge = blobs.partials.begin(uploadId, 60_000 * MiB)
    await expect(tooLarge).rejects.toMatchObject({ name: 'BlobsUnavailable', kind: 'full' })
  })

  it('are not opened without a bucket, with a wrong key, or below a wrong prefix', async () => {
    const { options } = swift()
    await expect(openS3Blobs({ ...options, bucket: 'absent' })).rejects.toThrow(BlobsUnavailable)
    const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'wrong' }
    await expect(openS3Blobs({ ...options, credentials })).rejects.toThrow('403')
    for (const wrong of ['a', '/', 'a//', 'ä/', 'a b/']) {
      await expect(openS3Blobs({ ...options, prefix: wrong })).rejects.toThrow(TypeError)
    }
  })
})

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
