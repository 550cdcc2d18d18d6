import { createServer, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder, quire, serveFolder, type ServedFolder } from '../../test/cli.ts'

const managed = { QUIRE_MANAGEMENT_PORT: '0' }

/** The address in the ready line. */
function managementOf({ texts }: ServedFolder): string | undefined {
  const { management }: { management?: string } = JSON.parse(texts().stdout.split('\n')[0] ?? '')
  return management
}

it('quire serve reports its metrics on a port of their own, and only there', async () => {
  const served = await serveFolder(aFolder(), managed)
  const management = managementOf(served)
  expect(management).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await served.get('/api/items/secret-place/secret-item')).status).toBe(404)
  expect((await served.get('/api/content/management/types')).status).toBe(200)
  const response = await fetch(`${management}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const count = 'quire_http_request_duration_seconds_count'
  expect(text).toContain(`${count}{method="GET",route="/api/items/:configId/:id",status="4xx"} 1\n`)
  expect(text).toContain(`${count}{method="GET",route="/api/content/management/types",status="2xx"} 1\n`)
  expect(text).toContain('quire_store_up 1\n')
  expect(text).toMatch(/^quire_wal_bytes [1-9]/m)
  expect(text).not.toContain('secret-')
  for (const path of ['/livez', '/readyz'])
    expect(await (await fetch(`${management}${path}`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${served.url}/metrics`)).status).toBe(404)
  expect((await served.get('/metrics')).status).toBe(404)
  expect(await served.stop()).toBe(0)
})

it('quire serve has no management port unless one is given', async () => {
  const served = await serveFolder(aFolder())
  expect(managementOf(served)).toBeUndefined()
  expect(await served.stop()).toBe(0)
})

it('quire serve refuses a management port that is in use before it creates anything', async () => {
  const accepted = createServer()
  await new Promise<void>((resolve) => void accepted.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void accepted.close())
  const { port } = accepted.address() as AddressInfo
  const data = join(aFolder(), 'data')
  const args = ['serve', '--port', '0', '--management-port', String(port), '--data', data]
  const { code, stderr } = await quire(args)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^quire: [^\n]+--management-port[^\n]*\n$/)])
  expect(existsSync(data)).toBe(false)
})

it('the health of a served folder reports the process, the disk and the settings of the database', async () => {
  const served = await serveFolder(aFolder())
  const response = await served.get('/api/admin/health')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  const health = (await response.json()) as { checks: { name: string; details: object }[] }
  expect(health).toMatchObject({ version: expect.stringMatching(/^\d/), uptimeSeconds: expect.any(Number) })
  const detailsOf = (name: string) => health.checks.find((check) => check.name === name)?.details
  expect(health.checks.map(({ name }) => name)).toEqual([
    'store',
    'blobs',
    'queue',
    'search',
    'process',
    'disk',
  ])
  expect(detailsOf('store')).toMatchObject({ journal_mode: 'wal', synchronous: '2', mmap_size: '0' })
  expect(detailsOf('process')).toMatchObject({
    loopDelayMs: expect.any(Number),
    rssBytes: expect.any(Number),
  })
  expect(detailsOf('disk')).toMatchObject({ freeBytes: expect.any(Number), neededBytes: expect.any(Number) })
  expect(JSON.stringify(health)).not.toContain('quire.db')
  expect(await served.stop()).toBe(0)
})
