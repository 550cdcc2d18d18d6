import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { chmodSync, cpSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { administratorToken } from '../server/api-access.ts'
import { databaseUrl, dropSchema, location, testDatabase, testSchema } from '../services/postgres.ts'
import { useSwift } from '../services/swift.ts'
import { buildBundle, type Bundle } from './bundle.ts'
import { readImage } from './image.ts'
import { completed, giveToOther, spawnAsOther } from './other-user.ts'

const image = readImage()
const guide = readFileSync(join(dirname(dirname(import.meta.dirname)), 'docs/guide/deploying.md'), 'utf8')

vi.setConfig({ testTimeout: 60_000 })

describe('the image, built by another user in an empty folder', () => {
  let bundle: Bundle

  beforeAll(async () => {
    bundle = await buildBundle(image)
  }, 600_000)

  afterAll(() => bundle.remove(), 60_000)

  /** Starts the command of the image on a free port, until the test is over. */
  async function start(env: NodeJS.ProcessEnv = {}) {
    const child = spawnAsOther(bundle.at(image.command), {
      cwd: bundle.data,
      env: { ...bundle.env, QUIRE_PORT: '0', ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    const ready = new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        if (stream)
          createInterface(stream).on('line', (line) => {
            lines.push(line)
            if (line.startsWith('{"event":"ready"')) resolve((JSON.parse(line) as { url: string }).url)
          })
      child.on('close', (code) => reject(new Error(`ended with ${code}:\n${lines.join('\n')}`)))
    })
    const url = await ready
    const stop = async () => {
      child.kill('SIGTERM')
      const [code] = (await once(child, 'close')) as [number | null]
      return code
    }
    return { url, stop, pid: child.pid ?? 0 }
  }

  const health = (url: string) =>
    completed(
      spawnAsOther(bundle.at(image.health), {
        cwd: bundle.data,
        env: { ...bundle.env, QUIRE_PORT: new URL(url).port },
      }),
    )

  it('is not built for root, and has production dependencies alone', () => {
    expect(image.user).toBe('node')
    const installed = readdirSync(join(bundle.app, 'node_modules/.pnpm')).join('\n')
    expect(installed).toContain('@quire+store-postgres@')
    expect(installed).toContain('better-sqlite3@')
    expect(installed).not.toMatch(/^(?:vitest|typescript|tsup|@quire\+testkit)@/m)
    expect(readdirSync(bundle.app)).not.toContain('compose.yaml')
  })

  it('serves, is healthy, and stops with 0 within its time', async () => {
    const { url, stop, pid } = await start()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await health(url)
    expect(statSync(`/proc/${pid}`).uid).toBe(statSync(bundle.data).uid)
    expect(await stop()).toBe(0)
    await expect(health(url)).rejects.toThrow('ended with 1')
  })

  it('is backed up while it serves, by the command of the guide, and restored', async () => {
    const [, command = ''] = /exec quire (node \S+ backup \S+)/.exec(guide) ?? []
    const run = (words: readonly string[]) =>
      completed(spawnAsOther(bundle.at(words), { cwd: bundle.data, env: bundle.env }))
    const first = await start()
    await run(command.split(' '))
    const restored = join(bundle.data, 'restored')
    const [node = '', cli = ''] = command.split(' ')
    await run([node, cli, 'restore', join(bundle.data, 'backup'), '--data', restored])
    cpSync(join(bundle.data, 'server.key'), join(restored, 'server.key'))
    chmodSync(join(restored, 'server.key'), 0o600)
    giveToOther(restored)
    await first.stop()
    const second = await start({ QUIRE_DATA: restored })
    const account = readFileSync(join(bundle.data, 'admin.json'), 'utf8')
    const { clientId: id, clientSecret: secret } = JSON.parse(account) as Record<string, string>
    const token = await administratorToken(second.url, { id: id ?? '', secret: secret ?? '' })
    expect(token).toEqual(expect.any(String))
    expect(await second.stop()).toBe(0)
  })

  describe.skipIf(testDatabase === null)(`on PostgreSQL ${location}`, () => {
    const swift = useSwift()

    it('serves with the secrets that compose.postgres.yaml mounts', async () => {
      const schema = testSchema()
      onTestFinished(() => dropSchema(schema))
      const { endpoint, options } = swift()
      const { bucket, credentials } = options
      const keys = [
        '[default]',
        `aws_access_key_id = ${credentials?.accessKeyId}`,
        `aws_secret_access_key = ${credentials?.secretAccessKey}`,
      ]
      const { url, stop } = await start({
        QUIRE_DATABASE_FILE: bundle.secret('database_url', `${databaseUrl()}\n`),
        QUIRE_DATABASE_SCHEMA: schema,
        QUIRE_BLOBS: `s3://${bucket}/${randomUUID()}`,
        QUIRE_S3_ENDPOINT: endpoint,
        AWS_SHARED_CREDENTIALS_FILE: bundle.secret('s3_credentials', keys.join('\n')),
        QUIRE_DATA: join(bundle.data, 'postgres'),
      })
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect(await stop()).toBe(0)
    })
  })
})
