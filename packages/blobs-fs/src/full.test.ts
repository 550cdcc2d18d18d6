import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Blobs, BlobsUnavailable } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './open-file-blobs.ts'

const MiB = 1024 * 1024
const uploadId = 'UPLD_01JXSC6G000000000000000001'
const full = { name: 'BlobsUnavailable', kind: 'full' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-full-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* random(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= 65_536) yield randomBytes(Math.min(left, 65_536))
}

function run(command: string, ...values: readonly string[]): void {
  execFileSync(command, values, { stdio: 'pipe' })
}

function mount(target: string, options: string): void {
  run('mount', '-t', 'tmpfs', '-o', options, 'none', target)
}

/** Why a test cannot have a disk of its own; null when it can. */
function whyNoMount(): string | null {
  const target = mkdtempSync(join(tmpdir(), 'quire-mount-'))
  try {
    mount(target, 'size=1m')
    run('umount', target)
    return null
  } catch (error) {
    const why = `no tmpfs can be mounted: ${String(error)}`
    // A test that is skipped by a hook does not show the reason in its name.
    console.log(`skipped: ${why}`)
    return why
  } finally {
    rmSync(target, { recursive: true })
  }
}

const unmountable = whyNoMount()

describe('a disk', () => {
  let disk: string
  beforeEach(({ skip }) => {
    if (unmountable !== null) skip(unmountable)
    disk = join(folder, 'disk')
    mkdirSync(disk)
    mount(disk, 'size=8m')
  })
  afterEach(() => {
    if (unmountable === null) run('umount', '-l', disk)
  })

  const listed = async (blobs: Blobs) => {
    const hashes = []
    for await (const { hash } of blobs.list()) hashes.push(hash)
    return hashes
  }

  it('that fills up during a put refuses it, stores nothing of it, and accepts others once there is space', async () => {
    const blobs = await openFileBlobs({ folder: disk, minFreeBytes: 0 })
    const stored = await blobs.put(random(5 * MiB))
    await expect(blobs.put(random(6 * MiB))).rejects.toMatchObject(full)
    expect(readdirSync(join(disk, 'temp'))).toEqual([])
    expect(await listed(blobs)).toEqual([stored.hash])
    expect(await blobs.verify(stored.hash)).toBe('sound')
    const other = await blobs.put(random(MiB))
    await blobs.delete(stored.hash)
    await blobs.put(random(6 * MiB))
    expect(await blobs.verify(other.hash)).toBe('sound')
  })

  it('that fills up during an upload retains the acknowledged bytes, and the upload resumes once there is space', async () => {
    const blobs = await openFileBlobs({ folder: disk, minFreeBytes: 0 })
    const { partials } = blobs
    const ballast = join(disk, 'ballast')
    await partials.begin(uploadId, 4 * MiB)
    expect(await partials.append(uploadId, { offset: 0, bytes: random(MiB) })).toBe(MiB)
    writeFileSync(ballast, randomBytes(6 * MiB))
    await expect(partials.append(uploadId, { offset: MiB, bytes: random(3 * MiB) })).rejects.toMatchObject(
      full,
    )
    for await (const { size } of partials.list()) expect(size).toBe(MiB)
    rmSync(ballast)
    expect(await partials.append(uploadId, { offset: MiB, bytes: random(3 * MiB) })).toBe(4 * MiB)
    const { hash } = await partials.finish(uploadId, 4 * MiB)
    expect(await blobs.verify(hash)).toBe('sound')
  })

  it('without space for an upload refuses it before the first byte', async () => {
    const { partials } = await openFileBlobs({ folder: disk, minFreeBytes: 0 })
    await partials.begin(uploadId, 7 * MiB)
    await expect(partials.begin(uploadId, 9 * MiB)).rejects.toMatchObject(full)
  })

  it('leaves 5 % free, and counts freed space at once', async () => {
    const blobs = await openFileBlobs({ folder: disk })
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, randomBytes(Math.floor(7.7 * MiB)))
    await expect(blobs.put(random(10))).rejects.toMatchObject(full)
    await expect(blobs.partials.begin(uploadId, 0)).rejects.toMatchObject(full)
    expect(await blobs.ping()).toBeUndefined()
    rmSync(ballast)
    expect((await blobs.put(random(10))).size).toBe(10)
    await expect(blobs.partials.begin(uploadId, Math.floor(7.7 * MiB))).rejects.toMatchObject(full)
  })

  /** A source of bytes that records the least free space while it is read. */
  const watched = (size: number) => {
    const least = { free: Infinity }
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for await (const chunk of random(size)) {
        const { bavail, bsize } = statfsSync(disk)
        least.free = Math.min(least.free, bavail * bsize)
        yield chunk
      }
    }
    return { bytes: bytes(), least }
  }

  it('leaves its minimum free during a put, and stores nothing of it', async () => {
    const blobs = await openFileBlobs({ folder: disk })
    const floor = 0.05 * 8 * MiB
    const { bytes, least } = watched(9 * MiB)
    await expect(blobs.put(bytes)).rejects.toMatchObject(full)
    expect(least.free).toBeGreaterThanOrEqual(floor)
    expect(least.free).toBeLessThan(floor + MiB)
    expect(readdirSync(join(disk, 'temp'))).toEqual([])
    expect((await blobs.put(random(7 * MiB))).size).toBe(7 * MiB)
  })

  it('leaves its minimum free during an upload, whose reported bytes remain', async () => {
    const { partials } = await openFileBlobs({ folder: disk })
    const floor = 0.05 * 8 * MiB
    await partials.begin(uploadId, 7 * MiB)
    expect(await partials.append(uploadId, { offset: 0, bytes: random(2 * MiB) })).toBe(2 * MiB)
    const { bytes, least } = watched(9 * MiB)
    await expect(partials.append(uploadId, { offset: 2 * MiB, bytes })).rejects.toMatchObject(full)
    expect(least.free).toBeGreaterThanOrEqual(floor)
    for await (const { size } of partials.list()) expect(size).toBe(2 * MiB)
    expect(await partials.append(uploadId, { offset: 2 * MiB, bytes: random(5 * MiB) })).toBe(7 * MiB)
  })

  it('lets an upload be taken over without space for a second one, and refuses to copy a finished one', async () => {
    const { partials } = await openFileBlobs({ folder: disk })
    await partials.begin(uploadId, 6 * MiB)
    await partials.append(uploadId, { offset: 0, bytes: random(5 * MiB) })
    const rest = () => ({ offset: 5 * MiB, bytes: random(MiB), takesOver: true })
    expect(await partials.append(uploadId, rest())).toBe(6 * MiB)
    await partials.finish(uploadId, 6 * MiB)
    await expect(partials.append(uploadId, rest())).rejects.toMatchObject(full)
    expect(readdirSync(join(disk, 'temp'))).toEqual([])
    for await (const { size } of partials.list()) expect(size).toBe(6 * MiB)
  })

  it('that is read-only fails writes, but serves reads', async () => {
    const blobs = await openFileBlobs({ folder: disk, minFreeBytes: 0 })
    const { hash } = await blobs.put(random(1_000))
    run('mount', '-o', 'remount,ro', disk)
    const failing = { name: 'BlobsUnavailable', kind: 'failing' }
    await expect(blobs.put(random(10))).rejects.toMatchObject(failing)
    await expect(blobs.partials.begin(uploadId, 1)).rejects.toMatchObject(failing)
    await expect(blobs.ping()).rejects.toMatchObject(failing)
    expect(await blobs.verify(hash)).toBe('sound')
    run('mount', '-o', 'remount,rw', disk)
    expect(await blobs.ping()).toBeUndefined()
    expect((await blobs.put(random(10))).size).toBe(10)
  })

  it('only for uploads, where hard links are impossible, makes a copy', async () => {
    const blobs = await openFileBlobs({ folder })
    const partial = join(folder, 'partial')
    mount(partial, 'size=8m')
    try {
      await blobs.partials.begin(uploadId, MiB)
      await blobs.partials.append(uploadId, { offset: 0, bytes: random(MiB) })
      const blob = await blobs.partials.finish(uploadId, MiB)
      expect(await blobs.partials.finish(uploadId, MiB)).toEqual(blob)
      expect(await blobs.verify(blob.hash)).toBe('sound')
      expect(readdirSync(join(folder, 'temp'))).toEqual([])
    } finally {
      run('umount', '-l', partial)
    }
  })
})

describe('a limit of file sizes', () => {
  it('counts as a full disk: the process survives and nothing is left behind', () => {
    const script = `
      import { openFileBlobs } from ${JSON.stringify(new URL('open-file-blobs.ts', import.meta.url).href)}
      const blobs = await openFileBlobs({ folder: ${JSON.stringify(folder)}, minFreeBytes: 0 })
      async function* zeros(size) { for (let left = size; left > 0; left -= 65536) yield new Uint8Array(65536) }
      const refused = await blobs.put(zeros(4194304)).catch((error) => error)
      const kept = await blobs.put(zeros(65536))
      process.stdout.write([refused.name, refused.kind, kept.size].join(' '))`
    const node = `"$0" --conditions=quire-source --input-type=module --eval "$1"`
    const child = spawnSync('bash', ['-c', `ulimit -f 1024; ${node}`, process.execPath, script])
    expect(child.stderr.toString()).toBe('')
    expect(child.stdout.toString()).toBe('BlobsUnavailable full 65536')
    expect(readdirSync(join(folder, 'temp'))).toEqual([])
  })
})

describe('a failure of the disk', () => {
  it('reports what to do and the error of the system', async () => {
    const blobs = await openFileBlobs({ folder })
    rmSync(join(folder, 'temp'), { recursive: true })
    const error: unknown = await blobs.put(random(1)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BlobsUnavailable)
    expect(String(error)).toContain('ENOENT')
  })
})
