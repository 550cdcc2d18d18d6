import { setupServer, type SetupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, QuireError, type Client } from './index.ts'
import { createMockQuire } from './mock/index.ts'
import { untilAborted } from './until-aborted.ts'
import { uploadFile, type UploadOptions } from './upload.ts'

let server: SetupServer
let quire: Client
beforeAll(async () => {
  const mock = await createMockQuire({
    async prepare(api) {
      await api.repositories.create({ name: 'magazine' })
      await api.types.create({ name: 'file', settings: { isAsset: true } })
    },
  })
  server = setupServer(...mock.handlers)
  server.listen()
  quire = createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
})
afterAll(() => server.close())

const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251)
const file = new File([bytes], 'Zahlen.bin', { lastModified: 1 })
const shared = { QuireError, untilAborted }
const options: UploadOptions = { repositoryId: 'magazine', pieceBytes: 4000, backoffMs: 1 }

/** A storage like that of a browser. */
function memory(): Map<string, string> & NonNullable<UploadOptions['memory']> {
  const map = new Map<string, string>()
  return Object.assign(map, {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  })
}

/** The client with an append that fails with the error that `fails` returns for each call. */
function broken(fails: (call: number) => QuireError | null): { api: Client; calls: () => number } {
  let calls = 0
  const append: Client['uploads']['append'] = (input, call) => {
    calls += 1
    const error = fails(calls)
    return error ? Promise.reject(error) : quire.uploads.append(input, call)
  }
  return { api: { ...quire, uploads: { ...quire.uploads, append } }, calls: () => calls }
}

/** Starts an upload and interrupts it after its first piece. */
async function begunAndCut(cutFile: Blob, given: UploadOptions): Promise<void> {
  const cut = broken((call) => (call === 2 ? new QuireError('forbidden', 'cut') : null))
  await expect(uploadFile({ ...cut.api, ...shared }, cutFile, given)).rejects.toThrow('cut')
}

async function bytesOf(assetId: string): Promise<Uint8Array> {
  return new Response(await quire.assets.download({ configId: 'magazine', assetId })).bytes()
}

describe('an upload', () => {
  it('becomes an asset, piece by piece, and reports its progress', async () => {
    const seen: number[] = []
    const item = await quire.assets.upload(file, { ...options, onProgress: ({ sent }) => seen.push(sent) })
    expect(item).toMatchObject({ name: 'Zahlen', originalFileName: 'Zahlen.bin', asset: { size: 10_000 } })
    expect(seen).toEqual([0, 4000, 8000, 10_000])
    const back = await new Response(
      await quire.assets.download({ configId: 'magazine', assetId: item.id }),
    ).bytes()
    expect(back).toEqual(bytes)
  })

  it('of an empty file is an asset at once', async () => {
    const item = await quire.assets.upload(new File([], 'leer.txt'), options)
    expect(item.asset?.size).toBe(0)
  })

  it('replaces the file of an item, and sends the metadata of a new one', async () => {
    const first = await quire.assets.upload(file, { ...options, name: 'Eins', type: 'file', fields: {} })
    const other = new File(['other'], 'other.txt')
    const second = await quire.assets.upload(other, { ...options, itemId: first.id })
    expect(second).toMatchObject({
      id: first.id,
      name: 'Eins',
      currentVersion: 2,
      originalFileName: 'other.txt',
    })
  })

  it('retries a piece when the connection breaks, after asking how much has arrived', async () => {
    const { api, calls } = broken((call) => (call % 2 === 1 ? new QuireError('unavailable', 'gone') : null))
    const item = await uploadFile({ ...api, ...shared }, file, options)
    expect([item.asset?.size, calls()]).toEqual([10_000, 6])
  })

  it('gives up after five attempts, and at once if a retry cannot help', async () => {
    const down = broken(() => new QuireError('unavailable', 'down'))
    await expect(uploadFile({ ...down.api, ...shared }, file, options)).rejects.toThrow('down')
    expect(down.calls()).toBe(5)
    const refused = broken(() => new QuireError('forbidden', 'no'))
    await expect(uploadFile({ ...refused.api, ...shared }, file, options)).rejects.toThrow('no')
    expect(refused.calls()).toBe(1)
  })

  it('continues where it was interrupted, for the same file and metadata', async () => {
    const stored = memory()
    const cut = broken((call) => (call === 2 ? new QuireError('forbidden', 'cut') : null))
    await expect(uploadFile({ ...cut.api, ...shared }, file, { ...options, memory: stored })).rejects.toThrow(
      'cut',
    )
    const seen: number[] = []
    const again = { ...options, memory: stored, onProgress: ({ sent }: { sent: number }) => seen.push(sent) }
    expect((await quire.assets.upload(file, again)).asset?.size).toBe(10_000)
    expect(seen).toEqual([4000, 8000, 10_000])
    expect(stored.size).toBe(0)
  })

  it('is the same item if it was interrupted after its last byte', async () => {
    const stored = memory()
    const get = () => Promise.reject(new QuireError('unavailable', 'cut'))
    const cut: Client = { ...quire, items: { ...quire.items, get } }
    await expect(uploadFile({ ...cut, ...shared }, file, { ...options, memory: stored })).rejects.toThrow(
      'cut',
    )
    const [uploadId = ''] = stored.values()
    const { itemId } = await quire.uploads.get({ uploadId })
    expect((await quire.assets.upload(file, { ...options, memory: stored })).id).toBe(itemId)
    expect(stored.size).toBe(0)
  })

  it('starts again if the interrupted upload has expired', async () => {
    const stored = memory()
    const cut = broken((call) => (call === 2 ? new QuireError('forbidden', 'cut') : null))
    await expect(uploadFile({ ...cut.api, ...shared }, file, { ...options, memory: stored })).rejects.toThrow(
      'cut',
    )
    for (const uploadId of stored.values()) await quire.uploads.terminate({ uploadId })
    expect((await quire.assets.upload(file, { ...options, memory: stored })).asset?.size).toBe(10_000)
  })

  it.each<[string, Blob, Partial<UploadOptions>]>([
    ['another blob of its size', new Blob([bytes.toReversed()]), {}],
    ['a blob that differs at its end', new Blob([bytes.slice(0, -1), 'x']), {}],
    ['another media type', new Blob([bytes], { type: 'text/plain' }), {}],
    ['another name', new Blob([bytes]), { name: 'Zwei' }],
    ['another content type', new Blob([bytes]), { type: 'file' }],
    ['other fields', new Blob([bytes]), { fields: {} }],
  ])('is not continued for %s', async (_, other, given) => {
    const stored = memory()
    const first = { ...options, name: 'Eins', memory: stored }
    await begunAndCut(new Blob([bytes]), first)
    const [uploadId = ''] = stored.values()
    const item = await uploadFile({ ...quire, ...shared }, other, { ...first, ...given })
    expect(item.name).toBe(given.name ?? 'Eins')
    expect(await bytesOf(item.id)).toEqual(await other.bytes())
    expect(await quire.uploads.get({ uploadId })).toMatchObject({ offset: 4000, itemId: null })
    expect([...stored.values()]).toEqual([uploadId])
  })

  it('is not continued in another folder', async () => {
    const stored = memory()
    await begunAndCut(new Blob([bytes]), { ...options, memory: stored })
    // The folder does not exist, which only a new upload reports.
    const elsewhere = uploadFile({ ...quire, ...shared }, new Blob([bytes]), {
      ...options,
      memory: stored,
      folderId: 'FOLD_2',
    })
    await expect(elsewhere).rejects.toThrow('FOLD_2')
  })

  it('of a blob is continued for the same bytes', async () => {
    const stored = memory()
    await begunAndCut(new Blob([bytes]), { ...options, name: 'Blob', memory: stored })
    const [uploadId = ''] = stored.values()
    const item = await uploadFile({ ...quire, ...shared }, new Blob([bytes]), {
      ...options,
      name: 'Blob',
      memory: stored,
    })
    expect((await quire.uploads.get({ uploadId })).itemId).toBe(item.id)
  })

  it('retries a piece that stalls', async () => {
    let calls = 0
    const append: Client['uploads']['append'] = (input, call) => {
      calls += 1
      if (calls > 1) return quire.uploads.append(input, call)
      return untilAborted(new Promise<never>(() => {}), call?.signal)
    }
    const api: Client = { ...quire, uploads: { ...quire.uploads, append } }
    const item = await uploadFile({ ...api, ...shared }, file, { ...options, pieceTimeoutMs: 500 })
    expect([item.asset?.size, calls]).toEqual([10_000, 4])
  })

  it('is started again when the connection breaks, unless that could create two assets', async () => {
    const begins = (failures: number) => {
      let calls = 0
      const create: Client['uploads']['create'] = (input, call) => {
        calls += 1
        return calls <= failures
          ? Promise.reject(new QuireError('unavailable', 'gone'))
          : quire.uploads.create(input, call)
      }
      const api: Client = { ...quire, uploads: { ...quire.uploads, create } }
      return { api, calls: () => calls }
    }
    const broken = begins(2)
    expect((await uploadFile({ ...broken.api, ...shared }, file, options)).asset?.size).toBe(10_000)
    expect(broken.calls()).toBe(3)
    const down = begins(9)
    await expect(uploadFile({ ...down.api, ...shared }, file, options)).rejects.toThrow('gone')
    expect(down.calls()).toBe(5)
    const empty = begins(1)
    await expect(uploadFile({ ...empty.api, ...shared }, new File([], 'leer.txt'), options)).rejects.toThrow(
      'gone',
    )
    expect(empty.calls()).toBe(1)
  })

  it('stops when it is aborted, with the reason', async () => {
    const abort = new AbortController()
    const stopping = quire.assets.upload(file, {
      ...options,
      signal: abort.signal,
      onProgress: ({ sent }) => {
        if (sent === 4000) abort.abort(new Error('enough'))
      },
    })
    await expect(stopping).rejects.toThrow('enough')
  })
})

describe('a file of a call', () => {
  it('can be anything that streams', async () => {
    const { asset } = await quire.assets.create({
      configId: 'magazine',
      type: 'file',
      file: {
        name: 'streamed.txt',
        async *stream() {
          yield new TextEncoder().encode('one ')
          yield new TextEncoder().encode('two')
        },
      },
    })
    expect(asset?.size).toBe(7)
  })

  it('comes back with its name, its range and its tag', async () => {
    const item = await quire.assets.create({ configId: 'magazine', file: new File([bytes], '“ü”; 文.bin') })
    const ref = { configId: 'magazine', assetId: item.id, rendition: 'original' }
    const part = await quire.assets.get(ref, { range: { start: 5, end: 9 } })
    expect(part).toMatchObject({
      fileName: '“ü”; 文.bin',
      size: 5,
      range: { start: 5, end: 9, total: 10_000 },
    })
    expect(part.etag).toBe(item.asset?.hash)
    expect(await part.bytes()).toEqual(bytes.slice(5, 10))
  })
})
