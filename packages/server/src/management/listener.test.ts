import { createServer, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { ReadyWord } from '../http/health.ts'
import { openManagement, type Managed } from './listener.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'
const location = { host: '127.0.0.1', port: 0, flags: 'management-' }

async function opened(
  managed: Partial<Managed> = {},
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const metrics = { contentType, text: async () => 'quire_store_up 1\n' }
  const management = await openManagement(location, { ready: async () => 'ok', metrics, ...managed })
  onTestFinished(() => management.close())
  return (path, init) => fetch(`http://127.0.0.1:${management.port}${path}`, init)
}

it('the management reports whether the service is alive, and whether it accepts requests', async () => {
  let word: ReadyWord = 'starting'
  const ask = await opened({ ready: async () => word })
  for (const [given, status] of [
    ['starting', 503],
    ['ok', 200],
    ['unavailable', 503],
    ['stopping', 503],
  ] as const) {
    word = given
    const ready = await ask('/readyz')
    expect([ready.status, await ready.json()]).toEqual([status, { status: given }])
    expect(ready.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
    const alive = await ask('/livez')
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }])
  }
})

it('the management serves the metrics for Prometheus', async () => {
  const ask = await opened()
  const response = await ask('/metrics?format=any')
  expect([response.status, await response.text()]).toEqual([200, 'quire_store_up 1\n'])
  expect(response.headers.get('content-type')).toBe(contentType)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const head = await ask('/metrics', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it('the management serves nothing else, accepts no other method, and leaks no error', async () => {
  const broken = async () => {
    throw new Error('the secret place')
  }
  const ask = await opened({ ready: broken, metrics: { contentType, text: broken } })
  for (const path of ['/', '/api/items', '/metrics/', '/constructor', '/__proto__'])
    expect((await ask(path)).status, path).toBe(404)
  const posted = await ask('/metrics', { method: 'POST', body: 'x' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  for (const path of ['/metrics', '/readyz']) {
    const failed = await ask(path)
    expect(failed.status).toBe(500)
    expect(await failed.text()).not.toContain('secret')
  }
})

it('the management names its own flag where its port is in use', async () => {
  const accepted = createServer()
  await new Promise<void>((resolve) => void accepted.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void accepted.close())
  const { port } = accepted.address() as AddressInfo
  const metrics = { contentType, text: async () => '' }
  const opening = openManagement({ ...location, port }, { ready: async () => 'ok', metrics })
  await expect(opening).rejects.toThrow(/choose another with --management-port/)
})
