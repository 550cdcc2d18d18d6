import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@quire/client'
import type { Api } from '@quire/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program, samplePath } from '../../../../test/deploy/samples.ts'
import { asAdministrator, databaseUrl, location, testDatabase } from '../../../../test/services/postgres.ts'
import { useSwift } from '../../../../test/services/swift.ts'
import { someBytes } from '../../test/asset-serving.ts'
import { aFolder, quire, serveFolder } from '../../test/cli.ts'

const configId = 'files'
const { isMissing: noRclone, ...rclone } = program('rclone')

describe.skipIf(testDatabase === null || noRclone)(
  `the backup of PostgreSQL ${location} and a bucket, ${rclone.location}`,
  () => {
    const swift = useSwift()

    it(
      'taken under load has everything that was acknowledged before it began',
      { timeout: 120_000 },
      async () => {
        const backup = aFolder()
        const here = await anInstallation(swift(), 'from/')
        const data = aFolder()
        const { url, child } = await serveFolder(data, here)
        const api = clientOf(data, url)
        await prepare(api)
        const acknowledged: string[] = []
        const isOver = { now: false }
        const writer = async (name: number) => {
          for (let n = 0; !isOver.now; n++) {
            const made = await write(api, name * 1e6 + n).catch(() => null)
            if (made) acknowledged.push(...made)
          }
        }
        const writing = Promise.all([1, 2, 3].map(writer))
        await wait(1500)
        const before = [...acknowledged]
        await script('backup-postgres.sh', [backup], here)
        await script('backup-postgres.sh', [backup], here)
        child.kill('SIGKILL')
        isOver.now = true
        await writing
        expect(before.length).toBeGreaterThan(10)
        expect(acknowledged.length).toBeGreaterThan(before.length)

        const there = await anInstallation(swift(), 'to/')
        await script('restore-postgres.sh', [backup], there)
        const elsewhere = aFolder()
        for (const name of ['server.key', 'admin.json']) cpSync(join(data, name), join(elsewhere, name))
        const served = await serveFolder(elsewhere, there)
        const restored = clientOf(elsewhere, served.url)
        for (const id of before) expect((await restored.items.get({ configId, id })).id).toBe(id)
        await served.stop()
        const doctor = await quire(['doctor', '--data', elsewhere], there)
        expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/ok +missing files +none/)])

        await expect(script('restore-postgres.sh', [backup], there)).rejects.toThrow(/already exists/)
      },
    )

    it('is there also without any file', { timeout: 60_000 }, async () => {
      const backup = aFolder()
      const here = await anInstallation(swift(), 'without/')
      const data = aFolder()
      const served = await serveFolder(data, here)
      await served.stop()
      await script('backup-postgres.sh', [backup], here)
      const there = await anInstallation(swift(), 'without-too/')
      expect(await script('restore-postgres.sh', [backup], there)).toContain('Put back the server key')
    })

    it('is not restored from a damaged file', { timeout: 60_000 }, async () => {
      const there = await anInstallation(swift(), 'damaged/')
      const folder = aFolder()
      mkdirSync(join(folder, 'blobs'))
      writeFileSync(join(folder, 'blobs', 'a'.repeat(64)), 'other bytes')
      await expect(script('restore-postgres.sh', [folder], there)).rejects.toThrow(/is damaged/)
      const named = { ...there, QUIRE_DATABASE: '' }
      await expect(script('backup-postgres.sh', [folder], named)).rejects.toThrow(
        /QUIRE_DATABASE: is not set/,
      )
      expect(readdirSync(folder)).toEqual(['blobs'])
    })
  },
)

/** The variables of an installation in a new database and below a prefix of the bucket. */
async function anInstallation({ options }: ReturnType<ReturnType<typeof useSwift>>, prefix: string) {
  const name = `quire_backup_${randomBytes(6).toString('hex')}`
  await asAdministrator((client) => client.query(`CREATE DATABASE ${name}`))
  onTestFinished(async () => {
    await asAdministrator((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  })
  const database = new URL(databaseUrl())
  database.pathname = `/${name}`
  const { bucket, endpoint = '', credentials } = options
  return {
    QUIRE_DATABASE: database.href,
    QUIRE_BLOBS: `s3://${bucket}/${prefix}`,
    QUIRE_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
  }
}

async function script(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(samplePath(name), args, { env: { ...process.env, ...env } })
  return stdout
}

function clientOf(data: string, baseUrl: string): Api {
  return createClient({ baseUrl, auth: JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8')) })
}

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: configId })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
}

/** The ids of a note and a file. */
async function write(api: Api, seed: number): Promise<string[]> {
  const note = await api.items.create({ repositoryId: configId, type: 'note', name: `Note ${seed}` })
  const bytes = new Uint8Array(someBytes(2000, seed))
  const file = await api.assets.create({ configId, file: new File([bytes], `${seed}.bin`) })
  return [note.id, file.id]
}
