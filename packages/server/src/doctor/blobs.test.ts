import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { specimens } from '@quire/testkit'
import { describe, expect, it } from 'vitest'
import { someBytes } from '../../test/asset-serving.ts'
import { aFolder, inFolder, quire } from '../../test/cli.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { requireDataFolder } from '../storage/data-folder.ts'
import { checkBlobs } from './blobs.ts'
import { examinedIn } from './examined.ts'

const checksOf = async (data: string) => checkBlobs(examinedIn(await requireDataFolder(data), { data }))
const fileOf = (data: string, hash: string) =>
  join(data, 'blobs', 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)

function flipBit(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
}

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: 'files' })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
}

async function hashOfNew(api: Api, bytes: Uint8Array, name = 'file.bin'): Promise<string> {
  const file = new File([new Uint8Array(bytes)], name)
  const { asset } = await api.assets.create({ configId: 'files', file })
  return asset?.hash ?? ''
}

/** A folder with this many files, and their hashes. */
async function filled(count: number): Promise<{ data: string; hashes: string[] }> {
  const data = aFolder()
  const hashes: string[] = []
  await inFolder(data, async (_, api) => {
    await prepare(api)
    for (let seed = 1; seed <= count; seed++) hashes.push(await hashOfNew(api, someBytes(2000, seed)))
  })
  return { data, hashes: hashes.toSorted() }
}

describe('checkBlobs', () => {
  it('reports no fault in a sound folder, and in one that never had a file', async () => {
    const { data } = await filled(3)
    expect(await checksOf(data)).toEqual([
      { name: 'corrupt files', outcome: 'ok', message: 'none of 3, 6000 bytes' },
      { name: 'missing files', outcome: 'ok', message: 'none' },
      { name: 'orphaned files', outcome: 'ok', message: 'none' },
    ])
    const empty = aFolder()
    await inFolder(empty, async () => undefined)
    rmSync(join(empty, 'blobs'), { recursive: true })
    expect((await checksOf(empty)).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
    expect(readdirSync(empty)).not.toContain('blobs')
  })

  it('finds every file that is damaged, truncated or missing, and names at most ten', async () => {
    const { data, hashes } = await filled(30)
    const [flipped, cut, gone] = [hashes.slice(0, 8), hashes.slice(8, 12), hashes.slice(12, 15)]
    for (const hash of flipped) flipBit(fileOf(data, hash))
    for (const hash of cut) writeFileSync(fileOf(data, hash), readFileSync(fileOf(data, hash)).subarray(1))
    for (const hash of gone) rmSync(fileOf(data, hash))
    const [corrupt, missing, orphaned] = await checksOf(data)
    expect(corrupt).toMatchObject({ outcome: 'fault', hashes: [...flipped, ...cut] })
    expect(corrupt?.message).toMatch(/^12 do not match their SHA-256: .*( [0-9a-f]{64}){10} and 2 more$/)
    expect(missing?.hashes?.toSorted()).toEqual(gone)
    expect(missing?.message).toMatch(/^3 needed by versions do not exist: .*( [0-9a-f]{64}){3}$/)
    expect(orphaned?.outcome).toBe('ok')
  })

  it('finds a missing folder', async () => {
    const { data, hashes } = await filled(2)
    rmSync(join(data, 'blobs'), { recursive: true })
    const [, missing] = await checksOf(data)
    expect([missing?.outcome, missing?.hashes?.toSorted()]).toEqual(['fault', hashes])
  })

  it('notes orphaned files, but no pictures, which are made again', async () => {
    const data = aFolder()
    const orphan = await inFolder(data, async ({ environment }, api) => {
      await prepare(api)
      const { id } = await api.assets.create({
        configId: 'files',
        file: new File([new Uint8Array(await specimens.photo())], 'photo.jpg'),
      })
      await (await api.assets.get({ configId: 'files', assetId: id, rendition: 'thumbnail' })).bytes()
      return environment.blobs.put(one(someBytes(500, 9)))
    })
    const [corrupt, missing, orphaned] = await checksOf(data)
    expect([corrupt?.outcome, missing?.outcome]).toEqual(['ok', 'ok'])
    expect(corrupt?.message).toMatch(/^none of 1,/)
    expect(orphaned).toEqual({
      name: 'orphaned files',
      outcome: 'note',
      message: `1 not needed by any version, 500 bytes: ${orphan.hash}`,
      hashes: [orphan.hash],
    })
  })

  it('counts files of old versions and of uploaded renditions as needed', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      await prepare(api)
      const name = { configId: 'files' }
      const { id: assetId } = await api.assets.create({ ...name, file: new File(['one'], 'a.txt') })
      await api.renditions.upload({ ...name, assetId, rendition: 'made', file: new File(['made'], 'b.txt') })
      await api.assets.replace({ ...name, assetId, file: new File(['two'], 'a.txt') })
    })
    const [corrupt, , orphaned] = await checksOf(data)
    expect([corrupt?.message, orphaned?.outcome]).toEqual(['none of 3, 10 bytes', 'ok'])
  })

  it('works while the folder is written to, and counts no new file as orphaned', async () => {
    const data = aFolder()
    await inFolder(data, async (_: OpenedQuire, api) => {
      await prepare(api)
      const over = new AbortController()
      const writing = (async () => {
        for (let seed = 1; !over.signal.aborted; seed++) await hashOfNew(api, someBytes(1000, seed))
      })()
      for (let round = 0; round < 5; round++) {
        const faults = (await checksOf(data)).filter(({ outcome }) => outcome === 'fault')
        expect(faults).toEqual([])
      }
      over.abort()
      await writing
    })
  })

  it('of a database that cannot be read is a note', async () => {
    const { data } = await filled(1)
    writeFileSync(join(data, 'quire.db'), 'no database at all')
    expect(await checksOf(data)).toMatchObject([{ name: 'files', outcome: 'note' }])
  })
})

it('`quire doctor --json` has every hash and ends with 1', async () => {
  const { data, hashes } = await filled(12)
  for (const hash of hashes) rmSync(fileOf(data, hash))
  const { code, stdout } = await quire(['doctor', '--json', '--data', data])
  const { checks } = JSON.parse(stdout) as { checks: { name: string; hashes?: string[] }[] }
  expect([code, checks.find(({ name }) => name === 'missing files')?.hashes?.toSorted()]).toEqual([1, hashes])
})

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
