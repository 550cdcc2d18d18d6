import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Api, Delivery } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { undiciOutbound } from '@quire/outbound-undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder, inFolder, quire, serveFolder } from '../../test/cli.ts'
import { quireCommand } from '../../../../test/server/quire-command.ts'

const oneLine = /^quire: [^\n]+\n$/
const working = '{"event":"working"}\n'

/** Receivers of deliveries by port. They answer 204 unless configured otherwise. */
async function aReceiver(
  listener: RequestListener = (_, response) => void response.writeHead(204).end(),
): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // It listens on a port, not on a pipe.
  return (server.address() as AddressInfo).port
}

/** Queues deliveries in a data folder and leaves them there. Returns the id of their webhook. */
async function withQueued(data: string, port: number, count: number): Promise<string> {
  return inFolder(data, async ({ environment }) => {
    const outbound = undiciOutbound({ allow: [`127.0.0.1:${port}`] })
    const api = createQuire({ ...environment, outbound, jobs: 'elsewhere' }).as(systemIdentity('test'))
    await api.repositories.create({ name: 'notes' })
    await api.types.create({ name: 'note', fields: [] })
    const { id } = await api.webhooks.create({
      repositoryId: 'notes',
      name: 'Hook',
      url: `http://127.0.0.1:${port}/`,
      events: ['ITEM_CREATED'],
    })
    for (let index = 0; index < count; index++)
      await api.items.create({ repositoryId: 'notes', type: 'note', name: `Note ${index}` })
    expect(await logOf(api, id)).toMatchObject(Array.from({ length: count }, () => ({ state: 'queued' })))
    return id
  })
}

async function logOf(api: Api, id: string): Promise<Delivery[]> {
  return (await api.webhooks.deliveries({ id })).items
}

function deliveriesIn(data: string, id: string): Promise<Delivery[]> {
  return inFolder(data, (_, api) => logOf(api, id))
}

/** A worker that runs until it is stopped. */
function startWorker(args: readonly string[]) {
  const child = spawn(process.execPath, [...quireCommand, 'worker', ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  const code = new Promise<number | string | null>((resolve) =>
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal)),
  )
  return { child, code, stdout: () => stdout }
}

describe('quire worker', () => {
  it('with --once runs the queued jobs, reports it, and exits with 0', async () => {
    const data = aFolder()
    const ids: unknown[] = []
    const port = await aReceiver(({ headers }, response) => {
      ids.push(headers['webhook-id'])
      response.writeHead(200).end('taken')
    })
    const webhook = await withQueued(data, port, 20)
    const allow = ['--egress-allow', `127.0.0.1:${port}`]
    const ended = await quire(['worker', '--once', '--log', 'error', '--data', data, ...allow])
    expect(ended).toEqual({ code: 0, stdout: working, stderr: '' })
    const log = await deliveriesIn(data, webhook)
    expect(new Set(log.map(({ id }) => id))).toEqual(new Set(ids))
    expect([log.length, ids.length]).toEqual([20, 20])
    expect(log.every(({ state, answer }) => state === 'succeeded' && answer === 'taken')).toBe(true)
  })

  it('sends only to allowed addresses, and exits with 0 whatever the outcome of the jobs', async () => {
    const data = aFolder()
    let isReached = false
    const port = await aReceiver((_, response) => {
      isReached = true
      response.end()
    })
    const webhook = await withQueued(data, port, 1)
    const { code } = await quire(['worker', '--once', '--log', 'error', '--data', data])
    expect([code, isReached]).toEqual([0, false])
    expect(await deliveriesIn(data, webhook)).toMatchObject([
      { state: 'failed', status: null, error: expect.stringContaining('is not at a public address') },
    ])
  })

  it.each([
    ['SIGTERM', []],
    ['SIGINT', []],
    ['SIGTERM', ['--once']],
    ['SIGINT', ['--once']],
  ] as const)('exits with 0 on %s with the flags %j, once running jobs have ended', async (signal, flags) => {
    const data = aFolder()
    const reached = Promise.withResolvers<void>()
    const port = await aReceiver((_, response) => {
      reached.resolve()
      setTimeout(() => response.writeHead(204).end(), 500)
    })
    const webhook = await withQueued(data, port, 1)
    const allow = ['--egress-allow', `127.0.0.1:${port}`]
    const { child, code, stdout } = startWorker(['--log', 'error', '--data', data, ...allow, ...flags])
    await reached.promise
    child.kill(signal)
    expect([await code, stdout()]).toEqual([0, working])
    expect(await deliveriesIn(data, webhook)).toMatchObject([{ state: 'succeeded', status: 204 }])
  })

  it.each([
    ['SIGTERM', 143, []],
    ['SIGINT', 130, ['--once']],
  ] as const)('exits at once on a second %s: %i with the flags %j', async (signal, expected, flags) => {
    const data = aFolder()
    const reached = Promise.withResolvers<void>()
    const port = await aReceiver(() => reached.resolve())
    const webhook = await withQueued(data, port, 1)
    const allow = ['--egress-allow', `127.0.0.1:${port}`]
    const { child, code } = startWorker(['--log', 'error', '--data', data, ...allow, ...flags])
    await reached.promise
    const start = performance.now()
    child.kill('SIGTERM')
    await wait(200)
    child.kill(signal)
    expect(await code).toBe(expected)
    expect(performance.now() - start).toBeLessThan(2000)
    expect(await deliveriesIn(data, webhook)).toMatchObject([{ state: 'running' }])
  })

  it('starts nothing more once it is stopped, with --once as well', async () => {
    const data = aFolder()
    const reached = Promise.withResolvers<void>()
    const port = await aReceiver((_, response) => {
      reached.resolve()
      setTimeout(() => response.writeHead(204).end(), 500)
    })
    const webhook = await withQueued(data, port, 20)
    const allow = ['--egress-allow', `127.0.0.1:${port}`]
    const { child, code } = startWorker(['--once', '--log', 'error', '--data', data, ...allow])
    await reached.promise
    child.kill('SIGTERM')
    expect(await code).toBe(0)
    const states = (await deliveriesIn(data, webhook)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['succeeded', 'queued']))
  })

  it('with --once also runs the maintenance of the service', async () => {
    const data = aFolder()
    const { code } = await quire(['worker', '--once', '--log', 'error', '--data', data])
    expect(code).toBe(0)
    const jobs = await inFolder(data, async (_, api) => (await api.queue.list({ state: 'succeeded' })).items)
    expect(jobs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['keys.turn', 'blobs.scrub']))
  })

  it('continues while no job is due', async () => {
    const data = aFolder()
    const { child, code, stdout } = startWorker(['--log', 'error', '--data', data])
    await expect.poll(stdout, { timeout: 10_000 }).toBe(working)
    const isOver = await Promise.race([
      code.then(() => true),
      new Promise<boolean>((resolve) => void setTimeout(() => resolve(false), 1500)),
    ])
    child.kill('SIGTERM')
    expect([isOver, await code]).toEqual([false, 0])
  })

  it('refuses a folder that is being served, in one line', async () => {
    const data = aFolder()
    const served = await serveFolder(data)
    const { code, stdout, stderr } = await quire(['worker', '--once', '--data', data])
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(oneLine)])
    expect(stderr).toContain('quire.db')
    expect((await served.get('/api/content/management/types')).status).toBe(200)
  })

  it.each([['--egress-allow', 'http://engine.internal'], ['--base-url', 'quire.example'], ['--twice']])(
    'refuses %j with exit code 2, before it creates anything',
    async (...args) => {
      const data = join(aFolder(), 'data')
      const { code, stdout, stderr } = await quire(['worker', '--once', '--data', data, ...args])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
      expect(existsSync(data)).toBe(false)
    },
  )
})
