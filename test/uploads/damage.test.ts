import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { scrubBlobs } from '@quire/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quireCommand } from '../server/quire-command.ts'
import { contentPath, uploadWhole } from './append.ts'
import { ask, askJson } from './ask.ts'
import { hashOf } from './look.ts'
import { openEnvironment } from './open-environment.ts'
import { Location, repository } from './location.ts'

const MiB = 1024 ** 2

/** An asset, with the hash of its bytes. */
interface StoredUpload {
  readonly itemId: string
  readonly hash: string
  readonly size: number
}

let location: Location
const sound: StoredUpload[] = []
const flipped: StoredUpload[] = []
const cut: StoredUpload[] = []
const missing: StoredUpload[] = []
const orphan = Buffer.from('nothing needs this')

// Sizes below and above 8 MiB: smaller files are read before the first byte is sent, larger ones
// while they are sent.
const sizes = [1, 1000, 300_000, 2 * MiB, 9 * MiB]

let retained = 0

async function retain(list: StoredUpload[], size: number): Promise<void> {
  const bytes = randomBytes(size)
  // Files of one byte must differ, too.
  bytes.writeUInt8(retained++ % 256)
  list.push({ itemId: await uploadWhole(location, bytes, `${size}.bin`), hash: hashOf(bytes), size })
}

function change(hash: string, change: (bytes: Buffer) => Buffer): void {
  const file = location.blobFile(hash)
  writeFileSync(file, change(readFileSync(file)))
}

function flipBit(bytes: Buffer): Buffer {
  const at = Math.floor(Math.random() * bytes.length)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at)
  return bytes
}

beforeAll(async () => {
  location = await new Location().open()
  for (const size of sizes) for (const list of [sound, cut, missing]) await retain(list, size)
  for (let count = 0; count < 100; count++) await retain(flipped, count < 4 ? 9 * MiB : 1 + count * 100)
  // Read once before the damage, so that they were considered sound.
  for (const { itemId } of flipped.slice(0, 10)) await ask(location, { path: contentPath(itemId) })
  for (const { hash } of flipped) change(hash, flipBit)
  for (const { hash } of cut) change(hash, (bytes) => bytes.subarray(0, -1))
  for (const { hash } of missing) rmSync(location.blobFile(hash))
  mkdirSync(dirname(location.blobFile(hashOf(orphan))), { recursive: true })
  writeFileSync(location.blobFile(hashOf(orphan)), orphan)
  // Small files may still be served from memory, correctly. Damage shows after a restart.
  await location.restart()
}, 60_000)
afterAll(() => location.close())

/**
 * The outcome of a download: its status, `broken` if it broke off, or the hash of a complete 200.
 */
async function outcomeOf({ itemId }: StoredUpload): Promise<string> {
  const answer = await ask(location, { path: contentPath(itemId) }).catch(() => null)
  if (answer === null) return 'broken'
  return answer.status === 200 ? hashOf(answer.body) : String(answer.status)
}

const hashes = (stored: readonly StoredUpload[]) => stored.map(({ hash }) => hash).toSorted()

describe('a damaged file', () => {
  it('is never served completely: 100 files with one flipped bit', async () => {
    const outcomes = await Promise.all(flipped.map(outcomeOf))
    const large = flipped.map(({ size }, index) => [size > 8 * MiB, outcomes[index]])
    expect(new Set(large.map(String))).toEqual(new Set(['true,broken', 'false,500']))
  })

  it('that was truncated is not served either, and a missing one is answered with 404', async () => {
    for (const stored of cut) expect(['500', 'broken']).toContain(await outcomeOf(stored))
    for (const stored of missing) expect([stored.size, await outcomeOf(stored)]).toEqual([stored.size, '404'])
    const { itemId } = missing[0] ?? { itemId: '' }
    const item = await ask(location, { path: `/api/items/${repository}/${itemId}` })
    expect([item.status, JSON.parse(item.body.toString())]).toMatchObject([200, { asset: { size: 1 } }])
  })

  it('does not affect the others', async () => {
    for (const stored of sound) expect(await outcomeOf(stored)).toBe(stored.hash)
  })

  it('makes every archive that contains it fail', async () => {
    const zip = (stored: readonly StoredUpload[]) =>
      askJson(
        location,
        `/api/assets/zip/${repository}`,
        stored.map(({ itemId }) => itemId),
      ).then(
        ({ status }) => status,
        () => 'broken',
      )
    expect(await zip(sound)).toBe(200)
    for (const stored of missing) expect(await zip([...sound, stored])).toBe(404)
    for (const stored of cut) expect(await zip([...sound, stored])).toBe(404)
    for (const stored of flipped.slice(0, 6)) expect(await zip([...sound, stored])).toBe('broken')
  })
})

describe('damage is reported', () => {
  it('by `quire doctor`, which names every file while the server runs, and exits with 1', async () => {
    const { code, checks } = await doctor()
    expect(code).toBe(1)
    const named = (name: string) => checks.find((check) => check.name === name)
    expect(named('corrupt files')?.hashes?.toSorted()).toEqual(hashes([...flipped, ...cut]))
    expect(named('missing files')?.hashes?.toSorted()).toEqual(hashes(missing))
    expect(named('orphaned files')).toMatchObject({ outcome: 'note', hashes: [hashOf(orphan)] })
  })

  it('by a scrub', async () => {
    await location.server.stop()
    const environment = await openEnvironment(location.data)
    const seen: number[] = []
    const found = await scrubBlobs(environment, (done) => seen.push(done))
    await environment.store.close()
    expect(found.corrupt.toSorted()).toEqual(hashes([...flipped, ...cut]))
    expect(found.missing.toSorted()).toEqual(hashes(missing))
    expect(found.orphaned).toEqual([{ hash: hashOf(orphan), size: orphan.length }])
    expect(found.sound).toBe(sound.length)
    expect(seen.at(-1)).toBe(sound.length + flipped.length + cut.length + missing.length)
  })
})

interface Check {
  readonly name: string
  readonly outcome: string
  readonly hashes?: readonly string[]
}

function doctor(): Promise<{ code: number; checks: Check[] }> {
  const args = [...quireCommand, 'doctor', '--json', '--data', location.data]
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout) => {
      const { checks }: { checks: Check[] } = JSON.parse(stdout)
      resolve({ code: Number(error?.code ?? 0), checks })
    })
  })
}
