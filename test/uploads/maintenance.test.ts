import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, sweepBlobs, sweepUploads, systemIdentity, type Environment } from '@quire/core'
import { fixedClock } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEnvironment } from './open-environment.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

let folder: string
let environment: Environment
let api: Api
// Files have the timestamps of their disk, so the clock starts at the current time.
let clock: ReturnType<typeof fixedClock>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-upkeep-'))
  clock = fixedClock(Date.now())
  environment = await openEnvironment(folder, clock)
  api = createQuire(environment).as(systemIdentity('test'))
  await api.repositories.create({ name: 'files' })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
})
afterEach(async () => {
  await environment.store.close()
  rmSync(folder, { recursive: true })
})

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function stored(): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of environment.blobs.list()) hashes.push(hash)
  return hashes.toSorted()
}

async function partials(): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of environment.blobs.partials.list()) ids.push(id)
  return ids.toSorted()
}

const textFile = (text: string) => new File([text], 'a.txt')
const begin = (length: number) => api.uploads.create({ length, metadata: { repositoryId: 'files' } })

describe('a sweep of files', () => {
  it('removes blobs that have been unneeded for a day, and nothing else', async () => {
    const configId = 'files'
    const { id: assetId } = await api.assets.create({ configId, file: textFile('one') })
    await api.assets.replace({ configId, assetId, file: textFile('two') })
    await api.renditions.upload({ configId, assetId, rendition: 'made', file: textFile('made') })
    const { id: deleted } = await api.assets.create({ configId, file: textFile('deleted') })
    await api.items.delete({ configId, id: deleted })
    const needed = await stored()
    expect(needed).toHaveLength(4)
    const { blobs } = environment
    const orphan = await blobs.put(bytesOf('orphan'))
    const made = { recipe: 'webp_1x1_inside_q80' }
    await blobs.derived.retain({ ...made, source: orphan.hash }, new Uint8Array(10))
    await blobs.derived.retain({ ...made, source: needed[0] ?? '' }, new Uint8Array(10))

    clock.advance(dayMs - hourMs)
    expect(await sweepBlobs(environment)).toEqual({ blobs: 0, bytes: 0, derivations: 1 })
    expect(await stored()).toHaveLength(5)
    expect(await blobs.derived.find({ ...made, source: orphan.hash })).toBeNull()
    clock.advance(2 * hourMs)
    expect(await sweepBlobs(environment)).toEqual({ blobs: 1, bytes: 6, derivations: 0 })
    expect(await stored()).toEqual(needed)
    expect(await sweepBlobs(environment)).toEqual({ blobs: 0, bytes: 0, derivations: 0 })
    expect(await blobs.derived.verify({ ...made, source: needed[0] ?? '' })).toBe('sound')
  })

  it('retains a file that is uploaded again during the sweep', async () => {
    const { blobs } = environment
    const { hash } = await blobs.put(bytesOf('one'))
    const longAgo = new Date(Date.now() - 2 * dayMs)
    utimesSync(join(folder, 'blobs', 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash), longAgo, longAgo)
    const create = () => api.assets.create({ configId: 'files', file: textFile('one') })
    const late = async (...args: Parameters<typeof blobs.delete>) => {
      await create()
      await blobs.delete(...args)
    }
    await sweepBlobs({ ...environment, blobs: { ...blobs, delete: late } })
    expect(await blobs.verify(hash)).toBe('sound')
  })
})

describe('a sweep of uploads', () => {
  it('removes the bytes of 200 abandoned uploads, and none of active ones', async () => {
    const { uploads } = api
    // An account may have 20 open uploads. Cancelled ones are removed at once, expired ones are
    // swept.
    for (let round = 0; round < 10; round++) {
      for (let count = 0; count < 20; count++) {
        const { id: uploadId } = await begin(100)
        await uploads.append({ uploadId, offset: 0, file: textFile('begun') })
      }
      clock.advance(dayMs + 1)
    }
    const alive = await begin(100)
    expect(await partials()).toHaveLength(201)
    expect(await sweepUploads(environment)).toBe(200)
    expect(await partials()).toEqual([alive.id])
    const { offset } = await uploads.append({ uploadId: alive.id, offset: 0, file: textFile('goes on') })
    expect(offset).toBe(7)
  })

  it('retains uploads from the last hour, because their row may not be committed yet', async () => {
    await environment.blobs.partials.begin('UPLD_01JXSC6G000000000000000001', 10)
    expect(await sweepUploads(environment)).toBe(0)
    clock.advance(2 * hourMs)
    expect(await sweepUploads(environment)).toBe(1)
    expect(await partials()).toEqual([])
  })
})
