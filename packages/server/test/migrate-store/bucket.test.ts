import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemIdentity } from '@quire/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { overwrite, useSwift } from '../../../../test/services/swift.ts'
import { location, testDatabase } from '../../../../test/services/postgres.ts'
import type { MigrationListener, Part } from '../../src/migrate-store/progress.ts'
import { openQuire, type QuireConfig } from '../../src/open-quire.ts'
import { copyInstallation, verifyInstallation } from '../../src/migrate-store/installation.ts'
import { aFolder, inFolder } from '../cli.ts'
import { aTarget, migrating } from './fixture.ts'

describe.skipIf(testDatabase === null)(`binaries that are moved to a bucket, PostgreSQL ${location}`, () => {
  const swift = useSwift()
  beforeEach(() => {
    const { credentials } = swift().options
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials?.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials?.secretAccessKey)
  })
  afterEach(() => vi.unstubAllEnvs())
  const aBucket = (prefix: string) => {
    const { bucket, endpoint } = swift().options
    return { bucket, prefix, ...(endpoint !== undefined && { endpoint }) }
  }

  it(
    'are all in the bucket, each with its hash, and are served from there',
    { timeout: 120_000 },
    async () => {
      const { data, files } = await aFolderOfFiles()
      const where = { database: aTarget(), bucket: aBucket('moved/') }
      const copied = await migrating(data, where, copyInstallation)
      const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
      expect(copied).toMatchObject({
        blobs: { blobs: files.length, bytes, there: 0, faults: [] },
        uploads: 1,
      })

      const opened = await openQuire(elsewhere(data, where))
      const api = opened.quire.as(systemIdentity('test'))
      for (const { id, bytes: wanted } of files) {
        const found = await api.assets.get({ configId: 'magazine', assetId: id, rendition: 'original' })
        expect(hashOf(await found.bytes())).toBe(hashOf(wanted))
      }
      await opened.quire.close()

      const [file] = files
      if (!file) throw new Error('There are files.')
      const key = `moved/blobs/${hashOf(file.bytes)}`
      await overwrite(swift(), key, Buffer.from(file.bytes).fill(1, 0, 1))
      await expect(migrating(data, where, verifyInstallation)).rejects.toThrow(
        `${hashOf(file.bytes)} is corrupt`,
      )
    },
  )

  it('are reported as damaged when a byte of one differs', { timeout: 120_000 }, async () => {
    const { data, files } = await aFolderOfFiles()
    const hash = hashOf(files[1]?.bytes ?? Buffer.alloc(0))
    const path = join(data, 'blobs/blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
    const sound = readFileSync(path)
    const where = { database: aTarget(), bucket: aBucket('damaged/') }
    writeFileSync(path, Buffer.from(sound).fill(sound[5] === 0 ? 1 : 0, 5, 6))
    await expect(migrating(data, where, copyInstallation)).rejects.toThrow(`${hash} is corrupt`)
    await expect(openQuire(elsewhere(data, where))).rejects.toThrow(/call quire migrate-store again/)
    writeFileSync(path, sound)
    const copied = await migrating(data, where, copyInstallation)
    expect(copied).toMatchObject({ blobs: { there: files.length - 1, faults: [] } })
  })

  it('resume after an interruption', { timeout: 120_000 }, async () => {
    const sizes = Array.from({ length: 70 }, (_, n) => n + 1)
    const { data } = await aFolderOfFiles(sizes)
    const where = { database: aTarget(), bucket: aBucket('cut/') }
    const begun: Part[] = []
    let left = 66
    const listener: MigrationListener = {
      begin: (part) => void begun.push(part),
      moved() {
        if (begun.at(-1)?.unit === 'bytes' && (left -= 1) === 0) throw new Error('cut')
      },
      end: () => undefined,
    }
    const copy = () => migrating(data, where, (migration) => copyInstallation({ ...migration, listener }))
    await expect(copy()).rejects.toThrow('cut')
    const copied = await copy()
    expect(copied).toMatchObject({ blobs: { blobs: 70, faults: [] } })
    const [first, second] = begun.filter(({ unit }) => unit === 'bytes')
    expect(first?.before).toBe(0)
    expect(second?.before).toBeGreaterThan(0)
    await migrating(data, where, verifyInstallation)
  })
})

type Where = Pick<QuireConfig, 'database' | 'bucket'>

/** A server on the copied installation, in a folder of its own, with the key of the original. */
function elsewhere(data: string, where: Where): QuireConfig {
  return { ...where, key: join(data, 'server.key'), data: aFolder(), baseUrl: 'http://127.0.0.1:3000' }
}

interface StoredFile {
  readonly id: string
  readonly bytes: Buffer
}

/** A data folder with small files, one of more than a part, and an unfinished upload. */
async function aFolderOfFiles(
  sizes = [1, 1_000, 70_000, 9_000_000],
): Promise<{ data: string; files: StoredFile[] }> {
  const data = aFolder()
  const files = await inFolder(data, async ({ environment }, api) => {
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
    const stored: StoredFile[] = []
    for (const size of sizes) {
      const bytes = Buffer.alloc(size, `file of ${size} bytes; `)
      const file = new File([bytes], `${size}.txt`)
      const { id } = await api.assets.create({ configId: 'magazine', file })
      stored.push({ id, bytes })
    }
    await environment.blobs.partials.begin('UPLD_01JXSC6G000000000000000001', 9)
    return stored
  })
  return { data, files }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
