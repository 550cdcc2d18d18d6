import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PassThrough, Readable } from 'node:stream'
import { BlobCorrupt, type Blobs, BlobsUnavailable } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './open-file-blobs.ts'

const MiB = 1024 * 1024
const uploadId = 'UPLD_01JXSC6G000000000000000001'

let folder: string
let blobs: Blobs
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'quire-blobs-')), 'made', 'binaries')
  blobs = await openFileBlobs({ folder })
})
afterEach(() => rm(join(folder, '..', '..'), { recursive: true }))

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function put(bytes: Uint8Array) {
  return blobs.put(once(bytes))
}

function fileOf(hash: string): string {
  return join(folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
}

async function drain(hash: string): Promise<number> {
  let size = 0
  for await (const chunk of (await blobs.read(hash)) ?? []) size += chunk.length
  return size
}

describe('the folder', () => {
  it('contains blobs by hash, derived files by source, uploads by id, and nothing else', async () => {
    const { hash } = await put(Buffer.from('text'))
    await blobs.derived.retain({ source: hash, recipe: 'small.webp' }, Buffer.from('made'))
    await blobs.partials.begin(uploadId, 10)
    const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.sort()).toEqual([
      fileOf(hash),
      join(folder, 'derived', hash.slice(0, 2), hash, 'small.webp'),
      join(folder, 'partial', uploadId),
    ])
  })

  it('is accessible to its owner only', async () => {
    const { hash } = await put(Buffer.from('text'))
    await blobs.derived.retain({ source: hash, recipe: 'small' }, Buffer.from('made'))
    await blobs.partials.begin(uploadId, 10)
    await blobs.partials.append(uploadId, { offset: 0, bytes: once(randomBytes(10)) })
    await blobs.partials.finish(uploadId, 10)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(entries.length).toBeGreaterThan(10)
    for (const entry of entries) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600)
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('has no temporary files after a failure', async () => {
    async function* failing(size: number): AsyncGenerator<Uint8Array> {
      yield randomBytes(size)
      throw new Error('gone')
    }
    for (const size of [0, 10, 9 * MiB]) await expect(blobs.put(failing(size))).rejects.toThrow('gone')
    await expect(blobs.derived.retain({ source: 'x', recipe: 'a' }, randomBytes(1))).rejects.toThrow(
      TypeError,
    )
    expect(readdirSync(join(folder, 'temp'))).toEqual([])
  })

  it('cannot be escaped by names that are paths', async () => {
    const around = () => new Set(readdirSync(join(folder, '..', '..'), { recursive: true, encoding: 'utf8' }))
    const before = around()
    const wrong = ['../../escaped', '/tmp/quire-escaped', '..', 'a/../../../escaped', 'a\0b']
    for (const name of wrong) {
      await expect(blobs.partials.begin(name, 1)).rejects.toThrow(TypeError)
      await expect(blobs.delete(name)).rejects.toThrow(TypeError)
      const made = { source: 'a'.repeat(64), recipe: name }
      await expect(blobs.derived.retain(made, randomBytes(1))).rejects.toThrow(TypeError)
    }
    expect(around()).toEqual(before)
    expect(existsSync('/tmp/quire-escaped')).toBe(false)
  })

  it('may contain foreign files, which do not count as blobs', async () => {
    const { hash } = await put(Buffer.from('text'))
    await writeFile(join(folder, 'blobs', 'README'), 'hello')
    await writeFile(join(folder, 'blobs', hash.slice(0, 2), 'note'), 'hello')
    await writeFile(`${fileOf(hash)}.bak`, 'hello')
    await writeFile(join(folder, 'partial', 'note'), 'hello')
    const found = []
    for await (const blob of blobs.list()) found.push(blob.hash)
    for await (const partial of blobs.partials.list()) found.push(partial.id)
    expect(found).toEqual([hash])
  })

  it('reports at once when it is gone', async () => {
    await rm(folder, { recursive: true })
    await expect(blobs.ping()).rejects.toMatchObject({ name: 'BlobsUnavailable', kind: 'failing' })
    await expect(put(Buffer.from('text'))).rejects.toThrow(BlobsUnavailable)
  })
})

describe('temporary files', () => {
  const temp = (name: string) => join(folder, 'temp', name)
  const sweepAndList = async () => {
    await openFileBlobs({ folder })
    return readdirSync(join(folder, 'temp'))
  }

  it('of ended processes are removed on opening, those of running ones stay', async () => {
    let name = ''
    async function* looking(): AsyncGenerator<Uint8Array> {
      yield randomBytes(100)
      name = readdirSync(join(folder, 'temp'))[0] ?? ''
      const [machine] = name.split('.')
      await writeFile(temp(`${machine}.4194999.ended`), 'x')
      expect(await sweepAndList()).toEqual([name])
      yield randomBytes(100)
    }
    const { hash } = await blobs.put(looking())
    expect(name).toMatch(/^[0-9a-f]{16}\.\d+\./)
    expect(await blobs.verify(hash)).toBe('sound')
  })

  it('of another machine are removed after an hour without a write', async () => {
    await writeFile(temp('0123456789abcdef.1.young'), 'x')
    await writeFile(temp('0123456789abcdef.1.old'), 'x')
    const longAgo = new Date(Date.now() - 61 * 60 * 1_000)
    await utimes(temp('0123456789abcdef.1.old'), longAgo, longAgo)
    expect(await sweepAndList()).toEqual(['0123456789abcdef.1.young'])
  })
})

describe('a blob whose file has another length', () => {
  const changes = {
    shorter: (file: string, size: number) => truncate(file, size - 1),
    longer: (file: string) => appendFile(file, 'more'),
  }
  for (const [name, change] of Object.entries(changes)) {
    for (const size of [1_000, 3 * MiB, 9 * MiB]) {
      it(`is corrupt, and replaced by the next put: ${size} bytes, ${name}`, async () => {
        const bytes = randomBytes(size)
        const { hash } = await put(bytes)
        await change(fileOf(hash), size)
        await expect(drain(hash)).rejects.toThrow(BlobCorrupt)
        expect(await blobs.verify(hash)).toBe('corrupt')
        await put(bytes)
        expect(await drain(hash)).toBe(size)
        expect(await blobs.stat(hash)).toEqual({ hash, size })
        expect(readdirSync(join(folder, 'temp'))).toEqual([])
      })
    }
  }

  it('is corrupt when it is empty', async () => {
    const { hash } = await put(randomBytes(9 * MiB))
    await truncate(fileOf(hash), 0)
    await expect(drain(hash)).rejects.toThrow(BlobCorrupt)
  })
})

describe('a derived file', () => {
  const source = 'a'.repeat(64)
  const made = { source, recipe: 'small' }
  const folderOf = () => join(folder, 'derived', 'aa', source)
  const fileOfMade = () => join(folderOf(), 'small')

  it('counts as absent when a power loss left it empty, short or full of zeros, or an earlier version stored something else', async () => {
    const { hash } = await blobs.derived.retain(made, randomBytes(1_234))
    const whole = await readFile(fileOfMade())
    const zeros = Buffer.alloc(whole.length)
    for (const bytes of ['', whole.subarray(0, -1), whole.subarray(0, 70), zeros, `${hash} 1234\n`]) {
      await writeFile(fileOfMade(), bytes)
      expect(await blobs.derived.find(made)).toBeNull()
      expect(await blobs.derived.verify(made)).toBe('missing')
      // It takes space all the same, until it is removed.
      for await (const listed of blobs.derived.list()) expect(listed).toMatchObject(made)
    }
    await blobs.derived.remove(made)
    expect(existsSync(folderOf())).toBe(false)
  })

  it('is not served when one of its bits has changed', async () => {
    const bytes = randomBytes(MiB)
    const { hash } = await blobs.derived.retain(made, bytes)
    const stored = await readFile(fileOfMade())
    stored[99] = (stored[99] ?? 0) ^ 1
    await writeFile(fileOfMade(), stored)
    await expect(blobs.derived.read({ ...made, hash })).rejects.toThrow(BlobCorrupt)
    expect(await blobs.derived.verify(made)).toBe('corrupt')
    await blobs.derived.retain(made, bytes)
    expect(await blobs.derived.verify(made)).toBe('sound')
  })

  it('has the age of its file, which is touched on use', async () => {
    await blobs.derived.retain(made, randomBytes(10))
    await utimes(fileOfMade(), 1_000, 1_000)
    expect(await blobs.derived.find(made)).toMatchObject({ usedDate: 1_000_000 })
    const before = Date.now()
    await blobs.derived.use(made)
    // The clock of a file may be behind by a tick.
    for await (const { usedDate } of blobs.derived.list()) expect(usedDate).toBeGreaterThan(before - 100)
  })
})

describe('reading', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length
  const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

  it.skipIf(process.platform !== 'linux')('leaves no file open, however it ends (Linux only)', async () => {
    const sizes = [100, 3 * MiB, 9 * MiB]
    const hashes = await Promise.all(sizes.map(async (size) => (await put(randomBytes(size))).hash))
    const missing = 'f'.repeat(64)
    await settled()
    const before = openFiles()
    const ends = [abandonLoop, returnAtOnce, destroyPiped, refuseRange]
    for (let time = 0; time < 200; time += 1) {
      const end = ends[time % ends.length] ?? abandonLoop
      await end(hashes[time % hashes.length] ?? missing)
      await blobs.read(missing)
    }
    await settled()
    expect(openFiles()).toBe(before)
  })

  async function abandonLoop(hash: string): Promise<void> {
    for await (const _chunk of (await blobs.read(hash)) ?? []) break
  }

  async function returnAtOnce(hash: string): Promise<void> {
    await (await blobs.read(hash, { start: 1, end: 50 }))?.[Symbol.asyncIterator]().return?.()
    await (await blobs.read(hash))?.[Symbol.asyncIterator]().return?.()
  }

  async function destroyPiped(hash: string): Promise<void> {
    const target = new PassThrough()
    const done = pipeline(await streamOf(hash), target)
    target.once('data', () => target.destroy())
    await Promise.allSettled([done])
  }

  async function refuseRange(hash: string): Promise<void> {
    await expect(blobs.read(hash, { start: 1, end: 99 * MiB })).rejects.toThrow(RangeError)
  }

  async function streamOf(hash: string): Promise<Readable> {
    const bytes = await blobs.read(hash)
    if (bytes instanceof Readable) return bytes
    throw new Error('The server pipes this, so it must be a Node stream.')
  }

  it('fails instead of ending when the file is truncated while it is read', async () => {
    const { hash } = await put(randomBytes(20 * MiB))
    await drain(hash)
    const bytes = await blobs.read(hash)
    await truncate(fileOf(hash), 10 * MiB)
    const read = async () => {
      for await (const _chunk of bytes ?? []);
    }
    await expect(read()).rejects.toThrow(BlobCorrupt)
  })
})
