import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exchanges } from './exchanges.ts'
import { fastifyHost, freePort, serviceHost } from './hosts.ts'
import { record, type Recorded, type Served } from './record.ts'

const app = join(import.meta.dirname, 'next-app')
const next = join(import.meta.dirname, '../node_modules/.bin/next')

/** What Next.js adds to `Vary`. It also leaves out the length that a GET would have from a HEAD. */
const ofNext = /(?:^|, )(?:rsc|next-router-[\w-]+|accept-encoding)(?=,|$)/gi

function withoutNext(answers: readonly Recorded[]): readonly Recorded[] {
  return answers.map(({ headers, ...answer }) => {
    const vary = headers['vary']?.replaceAll(ofNext, '').replace(/^, /, '') ?? ''
    const { 'content-length': _, ...kept } = headers
    return { ...answer, headers: { ...kept, vary } }
  })
}

describe.each([
  ['', ['', '/a/b/api']],
  ['/cms', ['/cms']],
] as const)('an app of Next.js with the base path "%s"', (basePath, paths) => {
  const dist = `.next${basePath.replace('/', '-')}`
  let port: number
  let server: ReturnType<typeof spawn>
  beforeAll(async () => {
    port = await freePort()
    const env = {
      ...process.env,
      NODE_ENV: 'production' as const,
      NEXT_TELEMETRY_DISABLED: '1',
      HOST_BASE_PATH: basePath,
      HOST_DIST: dist,
      HOST_ORIGIN: `http://127.0.0.1:${port}`,
    }
    const { status, stdout, stderr } = spawnSync(next, ['build'], { cwd: app, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`next build ended with ${status}: ${stdout}${stderr}`)
    server = spawn(next, ['start', '-H', '127.0.0.1', '-p', String(port)], { cwd: app, env, stdio: 'ignore' })
    const isUp = () => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)
    await vi.waitUntil(isUp, { timeout: 20_000 })
  }, 120_000)
  afterAll(() => {
    server.kill()
    for (const made of [dist, 'next-env.d.ts', 'tsconfig.json', 'tsconfig.tsbuildinfo'])
      rmSync(join(app, made), { recursive: true, force: true })
  })

  it.each(paths)('answers at "%s" as the plugin does', async (path) => {
    const baseUrl = `http://127.0.0.1:${port}${path}`
    const setup = await fetch(`http://127.0.0.1:${port}${basePath}/setup?path=${path}`)
    const account = (await setup.json()) as Served['account']
    const answers = await record({ baseUrl, account, ask: (request) => fetch(request) }, exchanges)
    const reference = await (path === '' ? serviceHost('/') : fastifyHost(path))
    const expected = await record(reference, exchanges)
    await reference.close()
    expect(withoutNext(answers)).toEqual(withoutNext(expected))
  })
})
