import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobsUnavailable, floorOf } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDurability, type Durability } from './durability.ts'
import { openFileBlobs } from './open-file-blobs.ts'
import { partialBlobs } from './partial-blobs.ts'
import { blobFile } from './paths.ts'
import { type Location, locationOf } from './location.ts'
import { putBlob } from './put-blob.ts'
import { readBlob } from './read-blob.ts'

const failing = { name: 'BlobsUnavailable', kind: 'failing' }
const uploadId = 'UPLD_01JXSC6G000000000000000001'

async function* text(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('text')
}

describe('a failed fsync', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-fsync-'))))
  afterEach(() => rm(folder, { recursive: true }))

  it('is never retried: the next fsync would report success', async () => {
    const durability = createDurability()
    let calls = 0
    const datasync = async () => {
      calls += 1
      if (calls === 1) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' })
    }
    await expect(durability.file({ datasync })).rejects.toMatchObject(failing)
    await expect(durability.file({ datasync })).rejects.toMatchObject(failing)
    await expect(durability.folder(folder)).rejects.toMatchObject(failing)
    expect(calls).toBe(1)
    expect(() => durability.requireSound()).toThrow(BlobsUnavailable)
  })

  it('stops all writes, but no reads', async () => {
    const blobs = await openFileBlobs({ folder })
    const { hash } = await blobs.put(text())
    const location = locationOf({ folder })
    const partials = partialBlobs(location)
    await partials.begin(uploadId, 4)
    await partials.append(uploadId, { offset: 0, bytes: text() })
    const datasync = () => Promise.reject(new Error('EIO'))
    await expect(location.durability.file({ datasync })).rejects.toMatchObject(failing)
    await expect(putBlob(location, text())).rejects.toMatchObject(failing)
    await expect(partials.begin(uploadId, 4)).rejects.toMatchObject(failing)
    await expect(partials.append(uploadId, { offset: 4, bytes: text() })).rejects.toMatchObject(failing)
    await expect(partials.finish(uploadId, 4)).rejects.toMatchObject(failing)
    expect(await readBlob(location, hash)).not.toBeNull()
  })
})

describe('the order of writing', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-order-'))))
  afterEach(() => rm(folder, { recursive: true }))

  /** A location that records what is made durable, and whether the blob had its name by then. */
  async function watchedLocation(): Promise<{ readonly location: Location; readonly steps: string[] }> {
    await openFileBlobs({ folder })
    const location = locationOf({ folder })
    const hash = createHash('sha256').update('text').digest('hex')
    const note = (what: string) => {
      const named = existsSync(blobFile(location.paths, hash))
      steps.push(`${what} ${named ? 'after' : 'before'} the name`)
    }
    const steps: string[] = []
    const whole = location.durability
    const durability: Durability = {
      ...whole,
      file: (handle) => whole.file(handle).then(() => note('bytes')),
      folderWithin: (root, path) => whole.folderWithin(root, path).then(() => note('folders')),
    }
    return { location: { ...location, durability }, steps }
  }

  it('of a put is bytes, name, folders; for an existing blob only folders', async () => {
    const { location, steps } = await watchedLocation()
    await putBlob(location, text())
    expect(steps).toEqual(['bytes before the name', 'folders after the name'])
    await putBlob(location, text())
    expect(steps.slice(2)).toEqual(['folders after the name'])
  })

  it('of an upload is bytes before they are reported, and at its end as for a put', async () => {
    const { location, steps } = await watchedLocation()
    const partials = partialBlobs(location)
    await partials.begin(uploadId, 4)
    const onDurable = async (end: number) => void steps.push(`reported ${end}`)
    await partials.append(uploadId, { offset: 0, bytes: text(), onDurable })
    expect(steps).toEqual(['bytes before the name', 'reported 4'])
    await partials.finish(uploadId, 4)
    expect(steps.slice(2)).toEqual(['bytes before the name', 'folders after the name'])
  })
})

describe('the space that stays free', () => {
  const GiB = 1024 ** 3

  it('is the configured size on a large disk, and 5 % of a small one', () => {
    const disk = (bytes: number) => ({ blocks: bytes / 4_096, bavail: 0, bsize: 4_096 })
    expect(floorOf(disk(1_000 * GiB), GiB)).toBe(GiB)
    expect(floorOf(disk(10 * GiB), GiB)).toBe(GiB / 2)
    expect(floorOf(disk(10 * GiB), 0)).toBe(0)
  })
})
