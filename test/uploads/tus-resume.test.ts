import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Upload, type DetailedError, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countItems, filesIn, hashOf, hashOfItem } from './look.ts'
import { Location, repository } from './location.ts'
import { runTusClient, type ClientEvent } from './tus-process.ts'

const MiB = 1024 ** 2

let location: Location
beforeAll(async () => {
  location = await new Location().open()
})
afterAll(() => location.close())

// Retry delays like those of a mobile app: longer in total than the lock of a dead server is held.
const patient = [50, 200, 500, 1000, 1000, 2000, 2000, 2000]

/** Starts an upload with the library in this process. */
function startUpload(bytes: Buffer, options: UploadOptions) {
  const { promise: done, resolve, reject } = Promise.withResolvers<string>()
  const upload = new Upload(bytes, {
    endpoint: `${location.url}/api/items/upload`,
    headers: { authorization: `Bearer ${location.token}` },
    metadata: { repositoryId: repository, filename: 'upload.bin' },
    retryDelays: patient,
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('quire-item-id') ?? ''),
    onError: reject,
    ...options,
  })
  upload.start()
  return { upload, done }
}

const froms = (events: readonly ClientEvent[]) =>
  events.flatMap((event) => ('from' in event ? [event.from] : []))

// A start of the service alone may take as long as a test may otherwise.
describe('tus-js-client', { timeout: 120_000 }, () => {
  it('resumes automatically after the server was killed and restarted', async () => {
    const before = await countItems(location)
    // Enough bytes that the upload is not finished before the kill, even on a fast machine.
    const bytes = randomBytes(256 * MiB)
    const much = Promise.withResolvers<void>()
    const offsets: number[] = []
    const { done } = startUpload(bytes, {
      // Enough bytes that some of them are durable, whatever is still in flight.
      onProgress: (sent) => sent > 72 * MiB && much.resolve(),
      onBeforeRequest: (request) => {
        if (request.getMethod() === 'PATCH') offsets.push(Number(request.getHeader('Upload-Offset')))
      },
    })
    const { port } = location
    await much.promise
    await location.kill()
    await location.start(port)
    const itemId = await done
    // Durable bytes, in steps of 8 MiB, are not sent again.
    expect(offsets[0]).toBe(0)
    expect(offsets.at(-1)).toBeGreaterThanOrEqual(8 * MiB)
    expect(await hashOfItem(location, itemId)).toBe(hashOf(bytes))
    expect(await countItems(location)).toBe(before + 1)
  })

  it('resumes the upload of a killed process in the next one', async () => {
    const before = await countItems(location)
    // Enough bytes that no upload is finished before its process is killed.
    const bytes = randomBytes(160 * MiB)
    const work = { file: join(location.folder, 'file.bin'), urls: join(location.folder, 'urls.json') }
    writeFileSync(work.file, bytes)
    writeFileSync(work.urls, '')
    let most = 0
    for (const part of [0.15, 0.4]) {
      const isEnough = (event: ClientEvent) => 'sent' in event && event.sent > part * bytes.length
      const { how, events } = await runTusClient(location, { ...work, isEnough })
      expect(how).toBe('SIGKILL')
      expect(froms(events).at(-1)).toBeGreaterThanOrEqual(most)
      most = Math.max(most, ...froms(events))
    }
    const { how, events, stderr } = await runTusClient(location, work)
    expect([how, stderr]).toEqual(['exit 0', ''])
    expect(froms(events)[0]).toBeGreaterThanOrEqual(8 * MiB)
    const last = events.at(-1)
    expect(last).toHaveProperty('itemId')
    const itemId = last && 'itemId' in last ? last.itemId : ''
    expect(await hashOfItem(location, itemId)).toBe(hashOf(bytes))
    expect(await countItems(location)).toBe(before + 1)
  })

  it('can pause and resume any number of times, with several files at once', async () => {
    const files = Array.from({ length: 4 }, () => randomBytes(12 * MiB))
    const itemIds = await Promise.all(files.map((bytes) => uploadWithPauses(bytes, 3)))
    expect(new Set(itemIds).size).toBe(files.length)
    for (const [index, itemId] of itemIds.entries())
      expect(await hashOfItem(location, itemId)).toBe(hashOf(files[index] ?? Buffer.alloc(0)))
    expect([filesIn(location, 'partial'), filesIn(location, 'temp')]).toEqual([[], []])
  })

  it('gets 460 for a wrong checksum, and continues with the correct one', async () => {
    const bytes = randomBytes(3 * MiB)
    const checksum = (of: Uint8Array) => `sha1 ${createHash('sha1').update(of).digest('base64')}`
    const wrong = startUpload(bytes, {
      retryDelays: null,
      onBeforeRequest: (request) => request.setHeader('Upload-Checksum', checksum(Buffer.from('other'))),
    })
    const error = await wrong.done.catch((reason: DetailedError) => reason)
    expect(error).toMatchObject({ originalResponse: expect.anything() })
    expect((error as DetailedError).originalResponse?.getStatus()).toBe(460)
    const froms: string[] = []
    const right = startUpload(bytes, {
      uploadUrl: wrong.upload.url,
      onBeforeRequest: (request) => {
        froms.push(request.getHeader('Upload-Offset') ?? '')
        if (request.getMethod() === 'PATCH') request.setHeader('Upload-Checksum', checksum(bytes))
      },
    })
    expect(await hashOfItem(location, await right.done)).toBe(hashOf(bytes))
    expect(froms).toEqual(['', '0'])
  })
})

/** Uploads a file with `pauses` pauses, each as soon as some more bytes were sent. */
async function uploadWithPauses(bytes: Buffer, pauses: number): Promise<string> {
  let left = pauses
  let seen = 0
  const { upload, done } = startUpload(bytes, {
    chunkSize: MiB,
    onProgress: (sent) => {
      if (left === 0 || sent <= seen) return
      left -= 1
      seen = sent
      void upload.abort().then(() => upload.start())
    },
  })
  const itemId = await done
  expect(left).toBe(0)
  return itemId
}
