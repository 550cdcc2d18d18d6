import { existsSync, statSync } from 'node:fs'
import { request, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import { all } from '@quire/client'
import { describe, expect, it } from 'vitest'
import { aFolder, inFolder, serveFolder, type ServedFolder } from '../../test/cli.ts'

const configId = 'magazine'

/** A data folder with a repository and a type. */
async function magazineFolder(): Promise<string> {
  const data = aFolder()
  await inFolder(data, async (_opened, api) => {
    await api.repositories.create({ name: configId })
    await api.types.create({ name: 'article', fields: [] })
  })
  return data
}

async function namesIn(data: string): Promise<string[]> {
  const names: string[] = []
  await inFolder(data, async (_opened, api) => {
    for await (const { name } of all(api.items.list, { configId, limit: 1000 })) names.push(name ?? '')
  })
  return names
}

/** A create request whose body is sent in two parts, on its own connection. */
interface Slow {
  /** The status of its response. */
  readonly answered: Promise<number>
  /** Sends the rest. */
  finish(): void
}

async function beginCreation(served: ServedFolder, name: string): Promise<Slow> {
  const { url } = served
  const text = JSON.stringify({ repositoryId: configId, type: 'article', name })
  const headers = {
    authorization: `Bearer ${await served.token()}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  const sent: ClientRequest = request(`${url}/api/items`, { method: 'POST', headers, agent: false })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('error', reject)
  })
  answered.catch(() => undefined)
  sent.write(text.slice(0, 10))
  // It is under way once later requests are answered.
  await fetch(`${url}/readyz`)
  return { answered, finish: () => void sent.end(text.slice(10)) }
}

function readyAt({ texts }: ServedFolder): () => Promise<unknown> {
  const { management }: { management: string } = JSON.parse(texts().stdout.split('\n')[0] ?? '')
  return async () => {
    const response = await fetch(`${management}/readyz`)
    return [response.status, await response.json()]
  }
}

/** Whether the write-ahead log was checkpointed into the database. */
function isFolded(data: string): boolean {
  const log = join(data, 'quire.db-wal')
  return !existsSync(log) || statSync(log).size === 0
}

const managed = { QUIRE_MANAGEMENT_PORT: '0' }

describe('a service that is stopped by a signal', () => {
  it('reports it at once, answers running requests, checkpoints its database, and exits with 0', async () => {
    const data = await magazineFolder()
    const served = await serveFolder(data, managed)
    const ready = readyAt(served)
    const creation = await beginCreation(served, 'Under way')
    expect(await ready()).toEqual([200, { status: 'ok' }])
    const start = performance.now()
    const code = served.stop()
    await expect.poll(ready, { interval: 5 }).toEqual([503, { status: 'stopping' }])
    expect(performance.now() - start).toBeLessThan(1000)
    await expect(fetch(`${served.url}/livez`)).rejects.toThrow('fetch failed')
    creation.finish()
    expect(await creation.answered).toBe(201)
    expect(await code).toBe(0)
    expect(isFolded(data)).toBe(true)
    expect(await namesIn(data)).toEqual(['Under way'])
  })

  it('under load has done what it answered, and nothing else', async () => {
    const data = await magazineFolder()
    const served = await serveFolder(data)
    const headers = { authorization: `Bearer ${await served.token()}`, 'content-type': 'application/json' }
    const done: string[] = []
    const others = new Set<number>()
    const gone = new AbortController()
    const call = async (name: string) => {
      const body = JSON.stringify({ repositoryId: configId, type: 'article', name })
      const response = await fetch(`${served.url}/api/items`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (response.status === 201) done.push(name)
      else others.add(response.status)
    }
    const caller = async (number: number) => {
      // A client that is not admitted, or is cut off before the response, asks elsewhere.
      for (let count = 0; !gone.signal.aborted; count += 1)
        await call(`${number}-${count}`).catch(() => gone.abort())
    }
    const callers = Promise.all(Array.from({ length: 24 }, (_, number) => caller(number)))
    await expect.poll(() => done.length, { timeout: 10_000 }).toBeGreaterThan(200)
    const start = performance.now()
    expect(await served.stop()).toBe(0)
    expect(performance.now() - start).toBeLessThan(10_000)
    gone.abort()
    await callers
    expect([...others].filter((status) => status !== 503)).toEqual([])
    expect((await namesIn(data)).toSorted()).toEqual(done.toSorted())
    expect(isFolded(data)).toBe(true)
  }, 30_000)

  it('waits ten seconds for requests that do not end', async () => {
    const served = await serveFolder(await magazineFolder(), managed)
    const creation = await beginCreation(served, 'Never sent')
    const start = performance.now()
    expect(await served.stop()).toBe(0)
    const took = performance.now() - start
    expect(took).toBeGreaterThan(9500)
    expect(took).toBeLessThan(12_000)
    await expect(creation.answered).rejects.toThrow('socket hang up')
  }, 20_000)

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('exits at once on a second %s', async (signal, expected) => {
    const data = await magazineFolder()
    const served = await serveFolder(data, managed)
    await beginCreation(served, 'Not waited for')
    const ready = readyAt(served)
    const code = served.stop('SIGTERM')
    await expect.poll(ready, { interval: 5 }).toEqual([503, { status: 'stopping' }])
    const start = performance.now()
    served.child.kill(signal)
    expect(await code).toBe(expected)
    expect(performance.now() - start).toBeLessThan(2000)
    expect(await namesIn(data)).toEqual([])
  })
})
