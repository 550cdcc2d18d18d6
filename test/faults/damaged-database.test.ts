import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quireCommand } from '../server/quire-command.ts'
import { administratorToken } from '../server/api-access.ts'
import { serveArgs, startServer } from '../server/server-process.ts'
import { ask, askJson } from '../uploads/ask.ts'
import { Location, repository } from '../uploads/location.ts'

const location = new Location()
const database = join(location.data, 'quire.db')

/** The answer to one request. */
interface ProcessReport {
  readonly status: number
  readonly body: string
}

type Way = 'GET' | 'POST'

/** An item of some kilobytes, so that a thousand items fill enough pages. */
const item = (name: string) => ({
  repositoryId: repository,
  type: 'note',
  name,
  fields: { text: randomBytes(3000).toString('hex') },
})

/** Polls until the condition holds, for at most ten seconds. */
async function until(isWanted: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isWanted()) return
    await wait(100)
  }
  throw new Error('the condition did not hold within 10 s')
}

const pageBytes = 8192

/**
 * Overwrites `count` pages, spread over the whole file except for the first pages, which a start
 * requires.
 */
function overwritePages(count: number): void {
  const pages = Math.floor(statSync(database).size / pageBytes)
  const first = 150
  const descriptor = openSync(database, 'r+')
  for (let page = 0; page < count; page++) {
    const number = first + Math.floor(((pages - first) * page) / count)
    writeSync(descriptor, randomBytes(pageBytes), 0, pageBytes, number * pageBytes)
  }
  closeSync(descriptor)
}

/** Serves the folder without waiting until it is ready, and stops the server afterwards. */
async function serving(
  work: (call: (way: Way, path: string, body?: unknown) => Promise<ProcessReport>) => Promise<void>,
) {
  const server = await startServer({ args: serveArgs(location.data), env: { QUIRE_LOG: 'error' } })
  try {
    const token = await administratorToken(server.url)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await work(async (method, path, body) => {
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${server.url}${path}`, init)
      return { status: answer.status, body: await answer.text() }
    })
    expect(server.ended()).toBeNull()
  } finally {
    await server.stop()
  }
}

const doctor = () =>
  spawnSync(process.execPath, [...quireCommand, 'doctor', `--data=${location.data}`], { encoding: 'utf8' })

beforeAll(async () => {
  await location.open()
  const fields = [{ name: 'text', kind: 'text' }]
  await askJson(location, '/api/content/management/types', { name: 'note', fields })
  for (let round = 0; round < 40; round++) {
    const names = Array.from({ length: 25 }, (_, index) => `Note ${round}-${index}`)
    await Promise.all(names.map((name) => askJson(location, '/api/items', item(name))))
  }
}, 120_000)

afterAll(() => location.close())

describe('a sound database', () => {
  it('is checked when the service starts, and the health report says so', async () => {
    await until(async () => {
      const { body } = await ask(location, { path: '/api/admin/health' })
      return body.includes('"quick_check":"ok"')
    })
    expect((await askJson(location, '/api/items', item('One more'))).status).toBe(201)
    await location.server.stop()
  }, 60_000)
})

describe('a database with 40 damaged pages', () => {
  beforeAll(() => overwritePages(40))

  it('is detected by the service, which rejects writes and keeps serving readable data', async () => {
    await serving(async (call) => {
      await until(async () => (await call('GET', '/readyz')).status === 503)
      expect((await call('GET', '/livez')).status).toBe(200)
      for (let count = 0; count < 5; count++) {
        const refused = await call('POST', '/api/items', item('After'))
        expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
          503,
          { code: 'unavailable', message: expect.stringContaining('quire doctor') },
        ])
      }
      const health = JSON.parse((await call('GET', '/api/admin/health')).body)
      expect(health.status).toBe('unavailable')
      expect(health.checks[0]).toMatchObject({
        name: 'store',
        status: 'unavailable',
        message: expect.stringContaining('restore a backup'),
        details: { quick_check: 'damaged' },
      })
      expect((await call('GET', '/api/content/management/repositories')).status).toBe(200)
      const list = await call('GET', `/api/items/${repository}?limit=1000`)
      expect([list.status, JSON.parse(list.body)]).toMatchObject([503, { code: 'unavailable' }])
    })
  }, 60_000)

  it('rejects writes as soon as one read fails', async () => {
    await serving(async (call) => {
      const list = await call('GET', `/api/items/${repository}?limit=1000`)
      expect(list.status).toBe(503)
      expect((await call('POST', '/api/items', item('After'))).status).toBe(503)
      expect((await call('GET', '/readyz')).status).toBe(503)
    })
  }, 60_000)

  it('is reported by quire doctor', () => {
    const { status, stdout } = doctor()
    expect(status).toBe(1)
    expect(stdout).toMatch(/fault +integrity +.*restore a backup/)
  }, 60_000)
})
