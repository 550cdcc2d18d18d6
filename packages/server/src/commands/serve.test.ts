import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder, inFolder, quire, serveFolder, tokenFor } from '../../test/cli.ts'

// The demo takes 4 s on an idle machine, and three times as long beside other tests.
const demoTime = { timeout: 30_000 }

const oneLine = /^quire: [^\n]+\n$/

describe('quire serve', () => {
  it('reports that it is ready, serves, and exits with 0 on a signal', async () => {
    const data = join(aFolder(), 'deep', 'data')
    const served = await serveFolder(data)
    expect((await served.get('/api/content/management/types')).status).toBe(200)
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
    expect(await served.stop()).toBe(0)
    const ready = `{"event":"ready","url":"${served.url}","listening":"${served.url}"}`
    expect(served.texts().stdout.split('\n')[0]).toBe(ready)
    expect(served.texts().stderr).toBe('')
  })

  it('reports the address that it listens on beside the base URL', async () => {
    const served = await serveFolder(aFolder(), { QUIRE_BASE_URL: 'https://cms.example.com' })
    const line = served.texts().stdout.split('\n')[0] ?? ''
    const { url, listening }: { url: string; listening: string } = JSON.parse(line)
    expect(url).toBe('https://cms.example.com')
    expect(listening).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect((await fetch(`${listening}/readyz`)).status).toBe(200)
    expect(await served.stop()).toBe(0)
  })

  it('creates files for its owner only, and retains the account over a restart', async () => {
    const data = aFolder()
    const first = await serveFolder(data)
    const modes = ['server.key', 'admin.json', 'quire.db'].map(
      (name) => statSync(join(data, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o600, 0o600])
    await first.stop('SIGINT')
    const second = await serveFolder(data)
    expect((await second.get('/api/security/me/permissions')).status).toBe(200)
    expect(await second.stop()).toBe(0)
  })

  it('uses the account from the environment, and follows a change of its secret', async () => {
    const data = aFolder()
    const env = { QUIRE_ADMIN_CLIENT_ID: 'admin', QUIRE_ADMIN_CLIENT_SECRET: 'first-secret' }
    const first = await serveFolder(data, env)
    const token = await tokenFor(first.url, { clientId: 'admin', clientSecret: 'first-secret' })
    expect(token).toEqual(expect.any(String))
    expect(existsSync(join(data, 'admin.json'))).toBe(false)
    await first.stop()
    const second = await serveFolder(data, { ...env, QUIRE_ADMIN_CLIENT_SECRET: 'second-secret' })
    expect(await tokenFor(second.url, { clientId: 'admin', clientSecret: 'first-secret' })).toBeUndefined()
    expect(await tokenFor(second.url, { clientId: 'admin', clientSecret: 'second-secret' })).toEqual(
      expect.any(String),
    )
  })

  it.runIf(process.platform === 'linux')(
    'bounds the young generation, unless a size is configured (Linux only)',
    async () => {
      const sizeOf = async (env: Record<string, string>) => {
        const served = await serveFolder(aFolder(), env)
        const size = /--max-semi-space-size=\d+/.exec(
          readFileSync(`/proc/${served.child.pid}/cmdline`, 'utf8'),
        )?.[0]
        await served.stop()
        return size
      }
      expect(await sizeOf({})).toBe('--max-semi-space-size=16')
      expect(await sizeOf({ NODE_OPTIONS: '--max-semi-space-size=32' })).toBeUndefined()
    },
  )

  it('answers running requests before it ends', async () => {
    const served = await serveFolder(aFolder())
    const authorization = `Bearer ${await served.token()}`
    const reads = Array.from({ length: 50 }, () =>
      fetch(`${served.url}/api/content/management/types`, { headers: { authorization } }).then(
        ({ status }) => status,
      ),
    )
    await reads[0]
    const code = served.stop()
    const statuses = await Promise.allSettled(reads)
    expect(await code).toBe(0)
    const answered = statuses.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(answered.filter((status) => status !== 200 && status !== 503)).toEqual([])
  })

  it(
    'loads the demo into an empty folder, and prints an example call that works',
    { timeout: 60_000 },
    async () => {
      const data = aFolder()
      const served = await serveFolder(data, { QUIRE_DEMO: '1' })
      await expect.poll(() => served.texts().stdout, demoTime).toContain('"event":"demo.loaded"')
      const { stdout } = served.texts()
      expect(stdout).toContain(`${served.url}/api-docs`)
      expect(stdout).not.toContain('"failures"')
      const { clientSecret } = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8')) as {
        clientSecret: string
      }
      expect(stdout).not.toContain(clientSecret)
      const command = /^ *Try +(curl .*)$/m.exec(stdout)?.[1] ?? ''
      const answer = await promisify(execFile)('/bin/sh', ['-c', command])
      expect(JSON.parse(answer.stdout)).toMatchObject({
        slug: 'ink-that-remembers',
        status: 'published',
        type: 'article',
      })
      const author = (JSON.parse(answer.stdout) as { fields: { author: string } }).fields.author
      expect(await (await served.get(`/api/items/magazine/${author}`)).json()).toMatchObject({
        type: 'author',
      })
      const drafts = await served.get('/api/items/magazine?filter[status]=draft')
      expect(await drafts.json()).toMatchObject({ count: 1, items: [{ slug: 'paper-that-was-a-shirt' }] })
      const guides = (await (await served.get('/api/items/docs?type=guide')).json()) as { count: number }
      expect(guides.count).toBeGreaterThan(5)
    },
  )

  it(
    'prints on each start where the site is and how to review, without signing readers of the log in',
    { timeout: 60_000 },
    async () => {
      const data = aFolder()
      const first = await serveFolder(data, { QUIRE_DEMO: '1' })
      await expect.poll(() => first.texts().stdout, demoTime).toContain('  Review ')
      expect(first.texts().stdout).toContain(`  Site             ${first.url}/sites/magazine/\n`)
      expect(first.texts().stdout).toContain(`  Documentation    ${first.url}/sites/docs/\n`)
      for (const path of ['magazine/', 'docs/', 'docs/guide/cli/'])
        expect((await fetch(`${first.url}/sites/${path}`)).status).toBe(200)
      await first.stop()
      const second = await serveFolder(data, { QUIRE_DEMO: '1' })
      await expect.poll(() => second.texts().stdout, demoTime).toContain('  Review ')
      const { stdout } = second.texts()
      expect(stdout).toContain(`quire sign-in reviewer@deckle.example --url ${second.url}`)
      expect(stdout).not.toContain('ticket=')
      const signedIn = await fetch(await signInLink(second.url, data), { redirect: 'manual' })
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const path = '/api/content/management/packages/magazine/winter-issue/page-diff'
      const headers = { cookie, origin: second.url }
      const diff = await fetch(`${second.url}${path}`, { method: 'POST', headers })
      const visible = await fetch(((await diff.json()) as { url: string }).url, { headers: { cookie } })
      expect([visible.status, await visible.text()]).toEqual([
        200,
        expect.stringContaining('What the frost wrote'),
      ])
      const statusOf = async (path: string) =>
        (await fetch(`${second.url}/api/${path}`, { headers: { cookie } })).status
      expect(await statusOf('content/management/types')).toBe(200)
      expect([await statusOf('security/users'), await statusOf('queue')]).toEqual([403, 403])
    },
  )

  it('does not load the demo a second time', async () => {
    const data = aFolder()
    await inFolder(data, async () => undefined)
    const second = await serveFolder(data, { QUIRE_DEMO: '1' })
    expect(await (await second.get('/api/content/management/repositories')).json()).toMatchObject({
      count: 0,
    })
  })
})

/** An address that signs the reviewer of the demo in, as the command prints it. */
async function signInLink(url: string, data: string): Promise<string> {
  const account = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8')) as Record<string, string>
  const { stdout } = await quire(['sign-in', 'reviewer@deckle.example', '--url', url], {
    QUIRE_CLIENT_ID: account['clientId'],
    QUIRE_CLIENT_SECRET: account['clientSecret'],
  })
  return stdout.trim()
}

describe('quire serve refuses, in one line,', () => {
  it('a port in use, before it creates anything', async () => {
    const accepted = createServer()
    await new Promise<void>((resolve) => {
      accepted.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void accepted.close())
    const { port } = accepted.address() as AddressInfo
    const data = join(aFolder(), 'data')
    const { code, stderr } = await quire(['serve', '--port', String(port), '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
    expect(stderr).toContain(`Port ${port}`)
    expect(existsSync(data)).toBe(false)
  })

  it('a second server on the same folder', async () => {
    const data = aFolder()
    const served = await serveFolder(data)
    const start = Date.now()
    const { code, stderr } = await quire(['serve', '--port', '0', '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
    expect(stderr).toContain('quire.db')
    expect(Date.now() - start).toBeLessThan(10_000)
    expect((await served.get('/api/content/management/types')).status).toBe(200)
  })

  it('a folder that cannot be created', async () => {
    const file = join(aFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await quire(['serve', '--port', '0', '--data', join(file, 'data')])
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
    expect(stderr).toMatch(/cannot be written to .*a part of the path is a file/)
  })

  it('a database of a newer version', async () => {
    const data = aFolder()
    await inFolder(data, async () => undefined)
    const database = new DatabaseSync(join(data, 'quire.db'))
    database.exec('PRAGMA user_version = 999')
    database.close()
    const { code, stderr } = await quire(['serve', '--port', '0', '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
    expect(stderr).toMatch(/newer/)
  })

  it('a key that others can read, that is too short, or that is missing', async () => {
    const data = aFolder()
    const key = join(data, 'server.key')
    await inFolder(data, async () => undefined)
    const attempt = async () => {
      const { code, stderr } = await quire(['serve', '--port', '0', '--data', data])
      expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
      return stderr
    }
    chmodSync(key, 0o644)
    expect(await attempt()).toContain('can be read by others')
    chmodSync(key, 0o600)
    truncateSync(key, 16)
    expect(await attempt()).toContain('has 16 bytes')
    unlinkSync(key)
    expect(await attempt()).toContain('is missing')
  })

  it.each([
    [['serve', '--port', '99999'], {}],
    [['serve', '--port', '1e3'], {}],
    [['serve', '--prot', '1'], {}],
    [['serve'], { QUIRE_PORT: 'x' }],
    [['serve'], { PORT: 'y' }],
    [['serve', '--base-url', 'quire.example'], {}],
    [['serve', '--log', 'loud'], {}],
    [['serve', '--cors-origin', '*'], {}],
    [['serve', '--cors-origin', 'https://app.example.org/path'], {}],
    [['serve', '--trust-proxy', 'nonsense'], {}],
    [['serve', '--trust-proxy', '10.0.0.0/33'], {}],
    [['serve', '--egress-allow', 'http://engine.internal'], {}],
    [['serve'], { QUIRE_EGRESS_ALLOW: 'engine.internal,10.0.0.0/33' }],
    [['sevre'], {}],
    [['import', 'x', '--type', 'article'], {}],
    [['serve', '--port', '0'], { QUIRE_ADMIN_CLIENT_ID: 'admin' }],
  ])('%j with %j, with exit code 2', async (args, env) => {
    const { code, stdout, stderr } = await quire(args, { QUIRE_DATA: join(aFolder(), 'data'), ...env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})
